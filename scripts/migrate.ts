/** Brings the database up to date: `npm run migrate` (needs CLICKHOUSE_URL). */
import { parseConfig } from '../schemas/config.js'
import { AppError, messageOf } from '../schemas/errors.js'
import { migrate } from '../schemas/migrations.js'

try {
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run migrate needs a server (npm run up migrates its embedded one itself).')
  const applied = await migrate(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  process.stdout.write(applied.length === 0 ? 'Nothing to do: the schema is up to date.\n' : `Applied ${applied.join(', ')}.\n`)
} catch (thrown) {
  process.stderr.write(`${messageOf(thrown)}\n`)
  process.exitCode = 1
}
