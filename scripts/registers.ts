/** Loads sanctions lists from their official addresses: `npm run registers [-- --list OFAC_SDN] [--bundled] [--shrunk] [--annex FILE]`. --shrunk takes a list that lost more than the guard allows: look at what is gone first; --annex hands in what stands in a PDF of it. */
import { readFileSync } from 'node:fs'
import { openStore } from '../schemas/clickhouse.js'
import { command, parseOptions } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { addAnnex } from '../stages/enrich/registers/sanctions/annexes.js'
import { loadBundled, loadOfficial, sanctionsLists } from '../stages/enrich/registers/sanctions/loadLists.js'
import type { Stored } from '../stages/enrich/registers/sanctions/storeList.js'

const line = ({ register, status, listVersion, addresses, unreadable, added, removed, reason }: Stored): string =>
  `${register.padEnd(9)} ${status.padEnd(9)} ${status === 'failed' ? '' : `${listVersion}: ${addresses} addresses, ${unreadable} not normalisable, ${added} added, ${removed} removed`}${reason === '' ? '' : `  ${reason}`}\n`

await command(async () => {
  const { values } = parseOptions('npm run registers [-- --list NAME] [-- --bundled] [-- --shrunk] [-- --annex FILE]', { annex: { type: 'string' }, list: { type: 'string' }, bundled: { type: 'boolean', default: false }, shrunk: { type: 'boolean', default: false } })
  const wanted = sanctionsLists.filter(({ register }) => values.list === undefined || register === values.list)
  if (wanted.length === 0) throw new AppError('BAD_ARGUMENT', `--list: no list is called ${values.list ?? ''} (known: ${sanctionsLists.map(({ register }) => register).join(', ')})`)
  if (values.shrunk && (values.list === undefined || values.bundled)) throw new AppError('BAD_ARGUMENT', '--shrunk needs --list, and is for a list from its official address')
  if (values.annex !== undefined && (values.list === undefined || values.bundled)) throw new AppError('BAD_ARGUMENT', '--annex needs --list, and is for a list from its official address')
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints the URL of its embedded server.')
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const [list] = wanted
  if (values.annex !== undefined && list !== undefined) {
    const orders = await addAnnex(store, list, readFileSync(values.annex, 'utf8'))
    await store.insert('audit', [{ at: new Date().toISOString(), actor: 'command line', role: 'operator', action: 'add_annex', subject: list.register, detail: JSON.stringify({ orders }), request_id: '', outcome: 'ok' }])
    process.stdout.write(`Kept the wallets of ${orders.length} orders (${orders.join(', ')}): they are part of ${list.register} as long as its page names those orders.\n`)
  }
  const done: Stored[] = []
  for (const list of wanted) {
    const stored = values.bundled ? await loadBundled(store, list) : await loadOfficial(store, list, { shrunk: values.shrunk })
    if (stored !== null) done.push(stored)
  }
  for (const stored of done) process.stdout.write(line(stored))
  if (done.length === 0) process.stdout.write(values.list === undefined ? 'The lists in force are as new as the bundled ones.\n' : `What is in force of ${values.list} is as new as the bundled list.\n`)
  if (values.shrunk) await store.insert('audit', [{ at: new Date().toISOString(), actor: 'command line', role: 'operator', action: 'take_shrunk_list', subject: values.list, detail: JSON.stringify(done), request_id: '', outcome: done[0]?.status ?? '' }])
  return done.every(({ status }) => status === 'accepted' || status === 'unchanged') ? 0 : 1
})
