/** Computes the leaderboards of smart money: `npm run leaders -- --chain ETH --height 18000000` (height: the newest final block when left out). */
import { openStore } from '../schemas/clickhouse.js'
import { accountsOption, command, parseOptions, wholeOption } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { computeLeaders } from '../stages/leaders/computeLeaders.js'

await command(async () => {
  const { values } = parseOptions('npm run leaders [-- --chain ETH --height BLOCK]', { chain: { type: 'string', default: 'ETH' }, height: { type: 'string' } })
  const chain = accountsOption(values.chain)
  const height = values.height === undefined ? null : wholeOption('height', values.height)
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints the URL of its embedded server.')
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const run = await computeLeaders(store, { chain, height })
  process.stdout.write(run === null ? 'No block is final and indexed yet.\n' : run.computed ? `As of block ${run.asOf}: ${run.scored} scores, ${run.leaders} leaders\n` : `The run as of block ${run.asOf} is still in force.\n`)
  return 0
})
