/** Orders a backfill from the command line: `npm run backfill -- --chain ETH --from 18000000 --to 18000100 [--dry-run]`. */
import { findChain } from '../schemas/chains.js'
import { openStore } from '../schemas/clickhouse.js'
import { command, parseOptions, wholeOption } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { normalizers } from '../stages/chains.js'
import { openPipelineControl } from '../workers/control.js'

await command(async () => {
  const { values } = parseOptions('npm run backfill -- --from BLOCK --to BLOCK [--chain ETH] [--dry-run]', {
    chain: { type: 'string', default: 'ETH' }, from: { type: 'string' }, to: { type: 'string' }, 'dry-run': { type: 'boolean', default: false },
  })
  const [from, to] = [wholeOption('from', values.from), wholeOption('to', values.to)]
  if (to < from) throw new AppError('BAD_ARGUMENT', '--to must not be below --from')
  const chain = findChain(values.chain)?.id ?? ''
  if (findChain(chain)?.hasBlocks === false) throw new AppError('BAD_ARGUMENT', `--chain: ${chain} has no blocks that could be fetched`)
  if (normalizers[chain] === undefined) throw new AppError('BAD_ARGUMENT', `--chain: ${values.chain} has no pipeline (known: ${Object.keys(normalizers).join(', ')})`)
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined || config.REDIS_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL and REDIS_URL must be set: npm run up prints those of its embedded servers.')
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const control = openPipelineControl(store, config.REDIS_URL, config.QUEUE_PREFIX)
  const answer = await control.backfill({ chain, from, to, dryRun: values['dry-run'], requestedBy: 'command line' })
  if (answer.accepted) {
    await store.insert('audit', [{ at: new Date().toISOString(), actor: 'command line', role: 'operator', action: 'backfill', subject: chain, detail: JSON.stringify({ from, to, target: answer.target }), request_id: '', outcome: 'accepted' }])
  }
  process.stdout.write(`${answer.blocks} blocks, ${answer.alreadyIndexed} of them indexed already; ${answer.dryRun ? 'nothing was ordered (dry run)' : `ordered as ${answer.target}`}\n`)
  return 0
})
