/** Reads registration files of agents from the URIs their registry names: `npm run agents -- [--limit 500]`. Only https, only public hosts. */
import { findChain } from '../schemas/chains.js'
import { openStore } from '../schemas/clickhouse.js'
import { command, parseOptions, wholeOption } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { openOutbound } from '../schemas/outbound.js'
import { importAgents } from '../stages/enrich/agents/importAgents.js'

await command(async () => {
  const { values } = parseOptions('npm run agents [-- --chain ETH --limit FILES]', { chain: { type: 'string', default: 'ETH' }, limit: { type: 'string', default: '500' } })
  const chain = findChain(values.chain)?.id
  if (chain === undefined) throw new AppError('BAD_ARGUMENT', `--chain: no chain is called ${values.chain}`)
  const limit = wholeOption('limit', values.limit, 1)
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints the URL of its embedded server.')
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const counts = await importAgents(store, openOutbound(), { chain, limit })
  const told = Object.entries(counts).map(([status, count]) => `${count} ${status}`).join(', ')
  await store.insert('audit', [{ at: new Date().toISOString(), actor: 'command line', role: 'operator', action: 'import_agents', subject: chain, detail: JSON.stringify(counts), request_id: '', outcome: 'ok' }])
  process.stdout.write(`Registration files of ${chain}: ${told === '' ? 'none waits' : told}\n`)
  return 0
})
