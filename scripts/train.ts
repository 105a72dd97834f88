/** Trains the models of a chain as of its last full hour and predicts the next: `npm run train [-- --chain ETH]`. */
import { openStore } from '../schemas/clickhouse.js'
import { accountsOption, command, parseOptions } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { train } from '../stages/index/predictions/train.js'

await command(async () => {
  const { values } = parseOptions('npm run train [-- --chain ETH]', { chain: { type: 'string', default: 'ETH' } })
  const chain = accountsOption(values.chain)
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints the URL of its embedded server.')
  const { version, ran, rows, tokens, speaking, outcomes } = await train(openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE), chain)
  const hour = new Date(version * 1_000).toISOString()
  process.stdout.write(version === 0 ? `Nothing of ${chain} is indexed.\n` : !ran ? `${chain}: the hour ${hour} was trained before.\n`
    : `${chain}: as of ${hour}, ${rows} hours of tokens; ${tokens} models tested, ${speaking} beat the base rate; ${outcomes} earlier predictions judged.\n`)
  return 0
})
