/** Brings the database up to date, registers included: `npm run migrate` (needs CLICKHOUSE_URL). A new database's admin key is printed once. */
import { openStore } from '../schemas/clickhouse.js'
import { command, parseOptions } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { migrate } from '../schemas/migrations.js'
import { giveAdminKey } from './up/adminKey.js'
import { registersInto } from './up/registers.js'

await command(async () => {
  const { values } = parseOptions('npm run migrate [-- --new-admin-key]', { 'new-admin-key': { type: 'boolean', default: false } })
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run migrate needs a server (npm run up migrates its embedded one itself).')
  const say = (line: string): void => { process.stdout.write(`${line}\n`) }
  const applied = await migrate(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  say(applied.length === 0 ? 'Nothing to do: the schema is up to date.' : `Applied ${applied.join(', ')}.`)
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  say(await registersInto(store))
  await giveAdminKey(store, 'command line', say, values['new-admin-key'])
  return 0
})
