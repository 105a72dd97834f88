/** Recorded blocks of Bitcoin through all stages: each stands alone, as a request of its own, and the ledger says that it landed. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Store } from '../../../schemas/clickhouse.js'
import { stageNames } from '../../../schemas/primitives.js'
import { openLedger } from '../../../stages/ledger/ledger.js'
import { listsOf } from '../../../stages/lists.js'
import { runStatements } from '../../../stages/stage.js'
import { bitcoinBatch, bitcoinContext, normalizeAnswers, rawAnswer, type BitcoinAnswer } from '../../support/bitcoin.js'
import { fillRegisters } from '../../support/registered.js'

/** Says what wrapped bitcoin is worth on Ethereum at a time (Unix seconds). */
export const priceWbtc = (store: Store, time: number, usd: number, method = 'chainlink'): Promise<void> => store.insertStream(
  `INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
   SELECT 'ETH', unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599'), time, toDateTime64(time, 3, 'UTC'), '', usd, method, 1, 0, 1 FROM input('time UInt64, usd Float64, method String') FORMAT JSONEachRow`,
  Readable.from([JSON.stringify({ time, usd, method })]), {}, randomUUID())

/** Takes one answer through the stages, and says in the ledger that it landed. */
export const passBitcoin = (store: Store, answer: BitcoinAnswer, seq: number, generation = 1): Promise<void> => passBitcoinBatch(store, [answer], seq, generation)

/** The same with blocks in a row, as one batch. */
export const passBitcoinBatch = async (store: Store, answers: readonly BitcoinAnswer[], seq: number, generation = 1): Promise<void> => {
  await normalizeAnswers(store, answers, generation)
  const [from, to] = [answers[0]?.number ?? 0, answers.at(-1)?.number ?? 0]
  const batch = bitcoinBatch(from, to, generation)
  const context = bitcoinContext(store)
  const ledger = openLedger(store)
  await store.execute(`INSERT INTO plans SELECT 'BTC', {seq:UInt64}, 'plan', {from:UInt64}, {to:UInt64}, {hash:String}, '', {generation:UInt32}, 't', {from:UInt64}, 'w', now64(3)`, { seq, from, to, hash: batch.hash, generation })
  for (const stage of stageNames) {
    if (stage === 'enrich' || stage === 'index' || stage === 'alert') await runStatements(listsOf('BTC')[stage], batch, context)
    await ledger.land(batch, stage, { rows: 0, bytes: 0, endpoint: '' }, 0)
  }
}

/** Fills `store` with recorded blocks, lowest first, with labels of the bundled registers. */
export const fillBitcoin = async (store: Store, heights: readonly number[]): Promise<void> => {
  await fillRegisters(store)
  for (const [seq, height] of [...heights].sort((a, b) => a - b).entries()) await passBitcoin(store, rawAnswer(height), 1_000 + seq)
}
