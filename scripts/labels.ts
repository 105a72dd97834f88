/** Derives classes of addresses by rules, or imports a TagPack: `npm run labels [-- --chain ETH]`, `npm run labels -- --import pack.yaml --name mine`. */
import { readFile, stat } from 'node:fs/promises'
import { openStore } from '../schemas/clickhouse.js'
import { accountsOption, command, parseOptions } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { importTagPack } from '../stages/enrich/registers/importTagPack.js'
import { mostByCommand } from '../stages/enrich/registers/tagPack.js'
import { deriveLabels } from '../stages/index/classes/deriveLabels.js'
import { openScreen } from './up/screen.js'

/** The text of a pack; throws where the file is none or too large. */
const packIn = async (file: string): Promise<string> => {
  const size = await stat(file).then((found) => found.size, () => { throw new AppError('BAD_ARGUMENT', `--import: there is no file ${file}`) })
  if (size > mostByCommand.bytes) throw new AppError('BAD_ARGUMENT', `--import: ${file} has ${size} bytes, at most ${mostByCommand.bytes} are read`)
  return readFile(file, 'utf8')
}

await command(async () => {
  const { values } = parseOptions('npm run labels [-- --chain ETH] [-- --import PACK.yaml --name NAME]', { chain: { type: 'string', default: 'ETH' }, import: { type: 'string' }, name: { type: 'string' } })
  const chain = accountsOption(values.chain)
  if ((values.import === undefined) !== (values.name === undefined)) throw new AppError('BAD_ARGUMENT', '--import and --name go together')
  if (values.name !== undefined && !/^[a-z0-9-]{1,40}$/.test(values.name)) throw new AppError('BAD_ARGUMENT', '--name: small letters, digits and -, at most 40')
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints the URL of its embedded server.')
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  if (values.import !== undefined && values.name !== undefined) {
    const done = await importTagPack(store, values.name, await packIn(values.import), mostByCommand).catch((thrown: unknown) => {
      const details = thrown instanceof AppError ? (thrown.body as { details?: readonly { loc: readonly (string | number)[]; msg: string }[] }).details ?? [] : []
      for (const { loc, msg } of details) process.stderr.write(`  ${loc.join('.')}: ${msg}\n`)
      throw thrown
    })
    await store.insert('audit', [{ at: new Date().toISOString(), actor: 'command line', role: 'operator', action: 'import_labels', subject: done.source, detail: JSON.stringify(done), request_id: '', outcome: 'ok' }])
    process.stdout.write(done.unchanged ? `${done.source}: the same pack was imported before.\n` : `${done.source}: ${done.labels} labels of "${done.title}".\n`)
  }
  const screen = openScreen(process.stdout)
  const { version, height, changes } = await deriveLabels(store, chain, { always: true, tell: screen.progress })
  screen.say(`Labels of ${chain}: version ${version}, as of block ${height}, ${changes} changes.`)
  return 0
})
