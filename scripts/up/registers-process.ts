/** Loads the bundled registers and says what was done. A process of its own under `up`: reading them keeps a processor busy for seconds at a time, in which nobody would hear Ctrl-C. Needs CLICKHOUSE_URL. */
import { openStore } from '../../schemas/clickhouse.js'
import { command } from '../../schemas/command.js'
import { parseConfig } from '../../schemas/config.js'
import { AppError } from '../../schemas/errors.js'
import { registersInto } from './registers.js'

await command(async () => {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database } = parseConfig(process.env)
  if (url === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: registers are loaded into a server (npm run up starts one itself).')
  process.stdout.write(`${await registersInto(openStore(url, database))}\n`)
  return 0
})
