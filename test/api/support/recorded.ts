/** Recorded mainnet blocks through all stages: each stands alone, as a request of its own, and the ledger says that it landed. */
import { findChain } from '../../../schemas/chains.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { stageNames, type BatchRef } from '../../../schemas/primitives.js'
import { alertStatements } from '../../../stages/alert/statements.js'
import { enrichStatements } from '../../../stages/enrich/statements.js'
import { indexStatements } from '../../../stages/index/statements.js'
import { openLedger } from '../../../stages/ledger/ledger.js'
import { runStatements, type Context } from '../../../stages/stage.js'
import { normalize } from '../../normalize/ethereum/normalized.js'
import { insertRaw } from '../../support/raw.js'
import { fillRegisters } from '../../support/registered.js'

/** Fills `store` with the recorded blocks at `heights`, lowest first, with labels and tokens of the bundled registers. */
export const fillRecorded = async (store: Store, heights: readonly number[]): Promise<void> => {
  await fillRegisters(store)
  await insertRaw(store, heights)
  await normalize(store, Math.min(...heights), Math.max(...heights))
  const context = { store, chain: { chain: findChain('ETH') }, checkpoint: async () => undefined, log: { debug: () => undefined } } as unknown as Context
  const ledger = openLedger(store)
  for (const [seq, height] of heights.entries()) {
    const batch: BatchRef = { chain: 'ETH', from: height, to: height, hash: 'x', generation: 1, floor: height }
    await store.execute(`INSERT INTO plans SELECT 'ETH', {seq:UInt64}, 'plan', {height:UInt64}, {height:UInt64}, 'x', '', 1, 't', {height:UInt64}, 'w', now64(3)`, { seq, height })
    for (const stage of stageNames) {
      if (stage === 'enrich') await runStatements(enrichStatements, batch, context)
      if (stage === 'index') await runStatements(indexStatements, batch, context)
      if (stage === 'alert') await runStatements(alertStatements, batch, context)
      await ledger.land(batch, stage, { rows: 0, bytes: 0, endpoint: '' }, 0)
    }
  }
}
