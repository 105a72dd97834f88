/** Prints the state digest: `npm run digest -- --chain ETH --height 18000000` (height: the newest block when left out). */
import { parseArgs } from 'node:util'
import { openStore } from '../schemas/clickhouse.js'
import { parseConfig } from '../schemas/config.js'
import { AppError, messageOf } from '../schemas/errors.js'
import { newestBlock, stateDigest } from '../stages/digest/digest.js'

try {
  const { values } = parseArgs({ options: { chain: { type: 'string', default: 'ETH' }, height: { type: 'string' } } })
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints the URL of its embedded server.')
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const height = values.height === undefined ? await newestBlock(store, values.chain) : Number(values.height)
  if (height === null || !Number.isSafeInteger(height) || height < 0) throw new AppError('BAD_ARGUMENT', height === null ? `There are no blocks of ${values.chain} yet.` : '--height must be a block number')
  const { digest, parts } = await stateDigest(store, values.chain, height)
  for (const part of parts) process.stdout.write(`${part.table.padEnd(20)} ${String(part.rows).padStart(12)} ${part.digest}\n`)
  process.stdout.write(`${values.chain} up to ${height}: ${digest}\n`)
  await store.close()
} catch (thrown) {
  process.stderr.write(`${messageOf(thrown)}\n`)
  process.exitCode = 1
}
