/** The bundled recorded blocks through the pipeline: asked for as backfills, watched until the last stage has them all. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'
import { stageNames } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import { apartFromUser } from '../../schemas/userOfUrl.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import type { PipelineControl } from '../../workers/control.js'
import { recordedBitcoinHeights, recordedBitcoinRanges } from '../replay-node/bitcoin/chain.js'
import { startBitcoinNode } from '../replay-node/bitcoin/server.js'
import { recorded, recordedRanges } from '../replay-node/fixtures.js'
import type { ReplayNode } from '../replay-node/serve.js'
import { startReplayNode } from '../replay-node/server.js'

const progress = loadSql(import.meta.url, 'progress.sql')
const Row = z.object({ stage: z.string(), blocks: z.number().int() })

/** A chain whose recorded blocks are bundled; the variables name its nodes and where it is followed from. */
export interface Demo {
  readonly chain: 'ETH' | 'BTC'; readonly name: string; readonly nodes: 'ETH_RPC_URL' | 'BTC_RPC_URL'; readonly start: 'ETH_START_BLOCK' | 'BTC_START_BLOCK'
  readonly heights: readonly number[]; readonly ranges: readonly { readonly from: number; readonly to: number }[]
  /** The call that says the newest block, as a number or as hex. */
  readonly headMethod: string
  replay(): Promise<ReplayNode>
}

export const demos: readonly Demo[] = [
  { chain: 'ETH', name: 'Ethereum', nodes: 'ETH_RPC_URL', start: 'ETH_START_BLOCK', heights: recorded.map((block) => block.height), ranges: recordedRanges(), headMethod: 'eth_blockNumber', replay: () => startReplayNode() },
  { chain: 'BTC', name: 'Bitcoin', nodes: 'BTC_RPC_URL', start: 'BTC_START_BLOCK', heights: recordedBitcoinHeights, ranges: recordedBitcoinRanges, headMethod: 'getblockcount', replay: () => startBitcoinNode() },
]

/** Blocks of the demo each stage has finished, in the order of the stages. */
export const demoProgress = async (store: Store, played: readonly Demo[]): Promise<readonly { stage: string; blocks: number; of: number }[]> => {
  const rows = (await Promise.all(played.map(({ chain, heights }) => store.query(progress, { chain, heights }, Row)))).flat()
  const of = played.reduce((sum, { heights }) => sum + heights.length, 0)
  return stageNames.map((stage) => ({ stage, blocks: rows.filter((row) => row.stage === stage).reduce((sum, row) => sum + row.blocks, 0), of }))
}

const followRecorded = 'follow-recorded'

/** Wants the bundled blocks of a chain, once. What is followed ends with them, so that a node given later does not fill in the years between. */
export const wantDemo = async (store: Store, control: PipelineControl, { chain, heights, ranges }: Demo): Promise<void> => {
  const ledger = openLedger(store)
  const newest = heights.at(-1) ?? 0
  const targets = await ledger.targets(chain)
  if (targets.every((target) => target.kind !== 'follow')) await ledger.addTarget(chain, { id: followRecorded, kind: 'follow', from: newest, to: newest, by: 'up' })
  for (const { from, to } of ranges) {
    if (targets.some((target) => target.from_block <= from && target.to_block >= to)) continue
    await control.backfill({ chain, from, to, dryRun: false, requestedBy: 'up' })
  }
}

const Head = z.object({ result: z.union([z.number().int(), z.string().regex(/^0x[0-9a-f]+$/i).transform(Number)]) })

/** After a demo, a real node is followed from `start` (its head when undefined) on. */
export const wantHead = async (store: Store, { chain, headMethod, nodes, start: variable }: Demo, urls: readonly string[], start: number | undefined): Promise<void> => {
  const ledger = openLedger(store)
  const follows = (await ledger.targets(chain)).filter((target) => target.kind === 'follow')
  if (follows.length === 0 || follows.some((target) => target.id !== followRecorded)) return
  const head = async (): Promise<number> => {
    for (const url of urls) {
      const { target, authorization } = apartFromUser(url)
      try {
        const answer = await fetch(target, { method: 'POST', redirect: 'error', headers: { 'content-type': 'application/json', ...authorization }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: headMethod, params: [] }), signal: AbortSignal.timeout(10_000) })
        return Head.parse(await answer.json()).result
      } catch { /* the next one may answer */ }
    }
    throw new AppError('NODE_SILENT', `No endpoint of ${nodes} says what its newest block is. Check the addresses, or set ${variable}.`)
  }
  await ledger.addTarget(chain, { id: 'follow', kind: 'follow', from: start ?? await head(), to: null, by: 'up' })
}

/** Resolves to true when every stage has every bundled block; false when jobs gave up or nothing moved for `patienceMs`. */
export const watchDemo = async (store: Store, control: PipelineControl, played: readonly Demo[], show: (line: string) => void, stopped: () => boolean, patienceMs = 180_000): Promise<boolean> => {
  let best = -1
  let movedAt = Date.now()
  while (!stopped()) {
    const stages = await demoProgress(store, played)
    show(stages.map(({ stage, blocks, of }) => `${stage} ${blocks}/${of}`).join('  '))
    if (stages.every(({ blocks, of }) => blocks === of)) return true
    const sum = stages.reduce((total, { blocks }) => total + blocks, 0)
    if (sum > best) { best = sum; movedAt = Date.now() }
    const { letters } = await control.deadLetters(3)
    const asked = letters.length > 0 && Date.now() - movedAt > 10_000
    if (asked || Date.now() - movedAt > patienceMs) {
      for (const letter of letters) show(`gave up: ${letter.stage} ${letter.from}–${letter.to}: ${letter.code} ${letter.cause}`.slice(0, 300))
      return false
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return false
}
