/** One block of Bitcoin once all of it is there. Its parts are read side by side: joined in one statement, planning it took longer than reading them. */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { minerTags } from '../../../schemas/bitcoinMiners.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { Block, type BlockDetail, OfBitcoin } from './block.js'

const sql = (part: string, ...but: readonly string[]) => loadSql(import.meta.url, `btcBlock${part}.sql`, ...but)
const rows = sql('Rows'), ownRead = sql('Own', 'of what stands'), ownStanding = sql('Own', 'of what was read'), sums = sql('Sums'), parties = sql('Parties'), payee = sql('Payee')
const Of = z.object({ hash: z.string() }), Told = Of.extend({ generation: z.number() })
const Row = Block.omit({ difficulty: true }).extend({ generation: z.number() })
const Own = OfBitcoin.omit({ miner_by: true, unresolved_inputs: true, fees: true }).extend({ ...Of.shape, ...Block.pick({ difficulty: true }).shape }), Sums = OfBitcoin.pick({ unresolved_inputs: true, fees: true }).extend({ ...Told.shape, rows: z.number() }), Parties = Told.extend({ inputs: z.number(), outputs: z.number(), senders: z.number().nullable(), receivers: z.number() }), Payee = Of.extend({ payee: z.string() })

/** A block that lands in this moment fills its tables within some hundredths of a second, each at once: where one has nothing of its height yet, that one is read so often, with so many milliseconds between. */
const looks = 5, pauseMs = 15

/** What `read` finds, as soon as it has something of the block. */
const filled = async <Row>(ask: Ask, read: () => Promise<readonly Row[]>, has = (found: readonly Row[]): boolean => found.length > 0): Promise<readonly Row[]> => {
  for (let look = 1; ; look += 1) {
    const found = await read()
    if (has(found) || look === looks) return found
    await pause(pauseMs, undefined, { signal: ask.signal })
  }
}

/** Null where a part of it is not there, or inputs have still to be looked for: the tables of a block fill in no order. It does not wait for enrich, which nothing of it hangs on. */
export const readBtcBlock = async (chain: string, at: number, ask: Ask): Promise<z.infer<typeof BlockDetail> | null> => {
  const asked = { chain, at }
  const found = filled(ask, () => ask.store.query(rows, asked, Row))
  // What was read of a block is there first, and for a month.
  const ownOf = async (): Promise<readonly z.infer<typeof Own>[]> => {
    const [blocks, read] = await Promise.all([found, ask.store.query(ownRead, { ...asked, ...minerTags }, Own)])
    return blocks.every((block) => read.some(({ hash }) => hash === block.hash)) ? read : [...read, ...await ask.store.query(ownStanding, asked, Own)]
  }
  const [blocks, owns, added, sides] = await Promise.all([found, filled(ask, ownOf), filled(ask, () => ask.store.query(sums, asked, Sums)), filled(ask, () => ask.store.query(parties, asked, Parties), (all) => all.some(({ inputs, outputs }) => inputs > 0 && outputs > 0))])
  for (const { generation: written, ...block } of blocks) {
    const of = <Row extends z.infer<typeof Of> & { readonly generation?: number }>(all: readonly Row[]): Row | undefined => all.find(({ hash, generation = written }) => hash === block.hash && generation === written)
    const told = of(owns), among = of(sides), summed = of(added)
    if (told === undefined || among?.inputs !== told.input_count || among.outputs !== told.output_count || summed?.rows !== block.tx_count) continue
    const { hash: _, miner: signed, difficulty, ...rest } = told, { unresolved_inputs, fees } = summed
    const paid = signed === '' ? of(await ask.store.query(payee, asked, Payee))?.payee ?? '' : ''
    return {
      ...block, difficulty, transactions: { count: block.tx_count, succeeded: block.tx_count, failed: 0, status_unknown: 0, contracts_created: 0, senders: among.senders, receivers: among.receivers, value: rest.output_value, fees, blob_fees: null },
      bitcoin: { ...rest, unresolved_inputs, fees, miner: signed === '' ? paid : signed, miner_by: signed !== '' ? 'coinbase_tag' : paid !== '' ? 'payout_label' : 'unknown' },
    }
  }
  return null
}
