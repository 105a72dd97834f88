/** Prints the state digest: `npm run digest -- --chain ETH --height 18000000` (height: the newest block when left out). */
import { findChain } from '../schemas/chains.js'
import { openStore } from '../schemas/clickhouse.js'
import { command, parseOptions, wholeOption } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { newestBlock, stateDigest } from '../stages/digest/digest.js'

await command(async () => {
  const { values } = parseOptions('npm run digest [-- --chain ETH --height BLOCK]', { chain: { type: 'string', default: 'ETH' }, height: { type: 'string' } })
  const chain = findChain(values.chain)?.id
  if (chain === undefined) throw new AppError('BAD_ARGUMENT', `--chain: no chain is called ${values.chain}`)
  const wanted = values.height === undefined ? null : wholeOption('height', values.height)
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints the URL of its embedded server.')
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const height = wanted ?? await newestBlock(store, chain)
  if (height === null) throw new AppError('NO_BLOCKS', `There are no blocks of ${chain} yet.`)
  const { digest, parts } = await stateDigest(store, chain, height)
  for (const part of parts) process.stdout.write(`${part.table.padEnd(20)} ${String(part.rows).padStart(12)} ${part.digest}\n`)
  process.stdout.write(`${chain} up to ${height}: ${digest}\n`)
  return 0
})
