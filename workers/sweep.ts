/** Late writers: rows that were still written of a block after a rollback took it away. Whatever reads rows by their height would count them with those of the block that took its place. */
import type { Store } from '../schemas/clickhouse.js'
import type { BatchRef } from '../schemas/primitives.js'
import { applyRollback, type Rollback } from '../stages/rollback.js'
import type { ChainModule, Stage } from '../stages/stage.js'
import { openIncident } from './incidents.js'
import type { Parts } from './runner.js'

/** Seconds after a rollback in which late writers are looked for. */
export const sweepSeconds = 600

/** Sweeps that are under way here, by store: who wants the same waits for it. */
const underWay = new WeakMap<Store, Map<string, Promise<void>>>()

/** Sweeps what late writers left after a rollback; what is found is an incident, for it should be rare. `brief`: rows alone are looked for; aggregates are only looked at where there are some. */
export const sweep = (store: Store, module: ChainModule, rollback: Rollback, brief = false): Promise<void> => {
  const own = underWay.get(store) ?? new Map<string, Promise<void>>()
  underWay.set(store, own)
  const chain = module.chain.id, key = `${chain}|${rollback.seq}|${brief}`
  const run = own.get(key) ?? (async () => {
    const swept = await applyRollback(store, module, rollback, { always: false, brief })
    if (swept > 0) await openIncident(store, { id: `swept|${chain}|${rollback.seq}`, chain, kind: 'late_writer', severity: 'warning', summary: `${swept} rows of orphaned blocks from ${rollback.from_block} on were swept`, closed: true })
  })().finally(() => { own.delete(key) })
  own.set(key, run)
  return run
}

/**
 * Rollbacks after which a stage of `batch` looks for late writers before it reads; undefined where it need not ask. There are none before a first rollback; ingest and normalize go by the
 * generation of rows, but what normalize may have begun before is known by keys that do not.
 */
export const rollbacksToSweep = ({ ledger }: Pick<Parts, 'ledger'>, stage: Pick<Stage, 'name'>, batch: BatchRef, again: boolean): Promise<readonly Rollback[]> | undefined =>
  (batch.generation === 0 || stage.name === 'ingest' || (stage.name === 'normalize' && !again) ? undefined : ledger.recentRollbacks(batch, sweepSeconds))
