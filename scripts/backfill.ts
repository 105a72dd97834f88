/** Orders a backfill from the command line: `npm run backfill -- --chain ETH --from 18000000 --to 18000100 [--dry-run]`. */
import { parseArgs } from 'node:util'
import { findChain } from '../schemas/chains.js'
import { openStore } from '../schemas/clickhouse.js'
import { parseConfig } from '../schemas/config.js'
import { AppError, messageOf } from '../schemas/errors.js'
import { openPipelineControl } from '../workers/control.js'

const height = (name: string, text: string | undefined): number => {
  const value = Number(text)
  if (text === undefined || !Number.isSafeInteger(value) || value < 0) throw new AppError('BAD_ARGUMENT', `--${name} must be a block number`)
  return value
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { chain: { type: 'string', default: 'ETH' }, from: { type: 'string' }, to: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } } })
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined || config.REDIS_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL and REDIS_URL must be set: npm run up prints those of its embedded servers.')
  const [from, to] = [height('from', values.from), height('to', values.to)]
  if (to < from) throw new AppError('BAD_ARGUMENT', '--to must not be below --from')
  if (findChain(values.chain)?.hasBlocks !== true) throw new AppError('BAD_ARGUMENT', `--chain: ${values.chain} has no blocks`)
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const control = openPipelineControl(store, config.REDIS_URL, config.QUEUE_PREFIX)
  const answer = await control.backfill({ chain: values.chain, from, to, dryRun: values['dry-run'], requestedBy: 'command line' })
  if (answer.accepted) {
    await store.insert('audit', [{ at: new Date().toISOString(), actor: 'command line', role: 'operator', action: 'backfill', subject: values.chain, detail: JSON.stringify({ from, to, target: answer.target }), request_id: '', outcome: 'accepted' }])
  }
  process.stdout.write(`${answer.blocks} blocks, ${answer.alreadyIndexed} of them indexed already; ${answer.dryRun ? 'nothing was ordered (dry run)' : `ordered as ${answer.target}`}\n`)
  await control.close()
  await store.close()
}

main().catch((thrown: unknown) => {
  process.stderr.write(`${messageOf(thrown)}\n`)
  process.exitCode = 1
})
