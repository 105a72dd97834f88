/** What the data of a chain is worth at this moment: the block every list and chain answer carries. */
import { z } from 'zod'
import { chains, findChain, type Chain } from '../schemas/chains.js'
import type { Store } from '../schemas/clickhouse.js'
import { assess, assessAll, type Judged } from './assess.js'
import type { EmptyReason } from './empty.js'
import type { Lane } from './operation.js'
import { openLedgerView, type LedgerView } from './ledgerView.js'
import { beginning } from '../schemas/text.js'

export const CoverageStatus = z.object({
  chain: z.string(),
  tier: z.enum(['live', 'stale', 'node-only', 'perps-only', 'unknown']),
  data_fresh: z.boolean().describe('false: the data trail the node or the clock'),
  pipeline: z.enum(['full', 'perps-only', 'pending', 'mixed', 'unknown']),
  node: z.string().describe('Kind of node behind the chain'),
  warnings: z.array(z.string()).describe('Not empty: caveat the answer, do not retry'),
}).describe('What the data are worth; an HTTP 200 does not mean fresh data')
export type CoverageStatus = z.infer<typeof CoverageStatus>

export interface Coverage {
  /** Of a chain by id or alias; an unknown id gives tier unknown with a warning. At most a second old. Of the aggregate the venue's data count where an operation of `lane` perps answers with them. */
  status(chain: string, lane?: Lane): Promise<CoverageStatus>
  /** Why silence about `chain`, from an operation of `lane`, would mean nothing; null: silence is an answer. */
  silence(chain: string, lane?: Lane): Promise<EmptyReason | null>
  /** Heads, states and bounds as last read, at most a second ago. */
  view(): Promise<LedgerView>
  /** The same where it is at hand this moment. */
  ready(): LedgerView | undefined
  /** The view as it is after what its caller has just ordered; all who ask later get it, too. */
  anew(): Promise<LedgerView>
}

const unknown = (id: string): Chain => ({ id, name: id, aliases: [], status: 'unbacked', hasBlocks: false, finality: null, staleAfterSeconds: 0, segmentBlocks: 1, node: 'none' })

/** `patienceMs`: how long a read of the ledger is waited for; default: that of ledgerView.ts. */
export const openCoverage = (store: Store, now: () => number = Date.now, patienceMs?: number): Coverage => {
  const { read, ready, anew } = openLedgerView(store, now, patienceMs)
  const judge = async (id: string): Promise<Judged> => {
    const seen = await read()
    const chain = findChain(id)
    if (chain === undefined) {
      const judged = assess(unknown(id), seen, now())
      return { ...judged, status: { ...judged.status, warnings: [`${beginning(id, 20)} is not a chain this service knows`] } }
    }
    return chain.status === 'aggregate' ? assessAll(chain, chains.map((part) => ({ part, judged: assess(part, seen, now()) }))) : assess(chain, seen, now())
  }
  const silence: Coverage['silence'] = async (id, lane) => {
    const judged = await judge(id)
    return lane === 'perps' && judged.perps !== undefined ? judged.perps : judged.silence
  }
  const status: Coverage['status'] = async (id, lane) => {
    const { status: told, trailing } = await judge(id)
    return lane === 'perps' && trailing === true ? { ...told, data_fresh: false, tier: told.tier === 'live' ? 'stale' : told.tier } : told
  }
  return { view: read, ready, anew, status, silence }
}
