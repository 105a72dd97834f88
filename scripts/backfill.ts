/**
 * Orders a backfill from the command line, or withdraws one: `npm run backfill -- --chain ETH --from 18000000 --to 18000100 [--dry-run] [--wait]`, `npm run backfill -- --withdraw TARGET`.
 * With --wait it says how far it is until it ends: exit code 1 where not every block was indexed. Ended before, the backfill goes on.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { findChain } from '../schemas/chains.js'
import { openStore, type Store } from '../schemas/clickhouse.js'
import { command, parseOptions, wholeOption } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { normalizers } from '../stages/chains.js'
import { stateOf } from '../workers/backfillState.js'
import { openPipelineControl, type PipelineControl } from '../workers/control.js'
import { openScreen } from './up/screen.js'

/** Milliseconds between two looks at how far it is. */
const lookMs = 1_000

const by = 'command line'
const noted = (store: Store, action: string, subject: string, detail: object, outcome: string): Promise<void> =>
  store.insert('audit', [{ at: new Date().toISOString(), actor: by, role: 'operator', action, subject, detail: JSON.stringify(detail), request_id: '', outcome }])

/** Resolves to an exit code when the backfill is done, withdrawn or given up. */
const watch = async (control: PipelineControl, target: string): Promise<number> => {
  const screen = openScreen(process.stdout)
  for (;; await sleep(lookMs)) {
    const now = await control.backfillOf(target)
    const state = stateOf(now), blocks = now.to - now.from + 1
    const line = `${now.indexed} of ${blocks} blocks indexed${now.givenUp > 0 ? `, ${now.givenUp} in dead letters (GET /v1/dashboard/dlq)` : ''}${now.held > 0 ? `, ${now.held} waiting for dead letters below them` : ''}`
    if (state === 'under_way') { screen.progress(line); continue }
    screen.say(`${state === 'done' ? 'done' : state === 'withdrawn' ? `withdrawn by ${now.withdrawnBy}` : 'given up'}: ${line}`)
    return state === 'done' ? 0 : 1
  }
}

await command(async () => {
  const { values } = parseOptions('npm run backfill -- --from BLOCK --to BLOCK [--chain ETH] [--dry-run] [--wait], or --withdraw TARGET', {
    chain: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' }, 'dry-run': { type: 'boolean', default: false }, wait: { type: 'boolean', default: false }, withdraw: { type: 'string' },
  })
  const config = parseConfig(process.env)
  const open = (): { store: Store; control: PipelineControl } => {
    if (config.CLICKHOUSE_URL === undefined || config.REDIS_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL and REDIS_URL must be set: npm run up prints those of its embedded servers.')
    const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
    return { store, control: openPipelineControl(store, config.REDIS_URL, config.QUEUE_PREFIX) }
  }
  if (values.withdraw !== undefined) {
    // Who adds --dry-run must not find that it was done.
    const beside = (['from', 'to', 'chain', 'dry-run', 'wait'] as const).find((name) => values[name] !== undefined && values[name] !== false)
    if (beside !== undefined) throw new AppError('BAD_ARGUMENT', `--withdraw stands alone: --${beside} is of ordering a backfill`)
    const { store, control } = open()
    const { chain, indexed, from, to } = await control.withdraw(values.withdraw, by)
    await noted(store, 'withdraw_backfill', values.withdraw, { chain }, 'ok')
    process.stdout.write(`withdrawn: ${indexed} of ${to - from + 1} blocks are indexed; what is planned goes through, the rest is not fetched\n`)
    return 0
  }
  const [from, to] = [wholeOption('from', values.from), wholeOption('to', values.to)]
  if (to < from) throw new AppError('BAD_ARGUMENT', '--to must not be below --from')
  const named = values.chain ?? 'ETH', chain = findChain(named)?.id ?? ''
  if (findChain(chain)?.hasBlocks === false) throw new AppError('BAD_ARGUMENT', `--chain: ${chain} has no blocks that could be fetched`)
  if (normalizers[chain] === undefined) throw new AppError('BAD_ARGUMENT', `--chain: ${named} has no pipeline (known: ${Object.keys(normalizers).join(', ')})`)
  const { store, control } = open()
  const answer = await control.backfill({ chain, from, to, dryRun: values['dry-run'], requestedBy: by })
  if (answer.accepted) await noted(store, 'backfill', chain, { from, to, target: answer.target }, 'accepted')
  process.stdout.write(`${answer.blocks} blocks, ${answer.alreadyIndexed} of them indexed already; ${answer.dryRun ? 'nothing was ordered (dry run)' : `ordered as ${answer.target}`}\n`)
  return answer.accepted && values.wait ? watch(control, answer.target) : 0
})
