/**
 * Rebuilds everything after ingest from the stored answers, without a node, into another database, and compares the two states:
 * `npm run replay -- --into hydrophone_replay [--chain ETH]`. Point CLICKHOUSE_DATABASE at it to use it.
 */
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { findChain } from '../schemas/chains.js'
import { openStore } from '../schemas/clickhouse.js'
import { parseConfig } from '../schemas/config.js'
import { AppError, messageOf } from '../schemas/errors.js'
import { migrate } from '../schemas/migrations.js'
import { normalizers } from '../stages/chains.js'
import { newestBlock, stateDigest } from '../stages/digest/digest.js'
import { openLedger } from '../stages/ledger/ledger.js'
import { pipeline } from '../stages/pipeline.js'
import type { ChainModule, Source } from '../stages/stage.js'

/** What a replay takes over as it stands: the answers, the plan, what was known of tokens and addresses. */
const taken = ['raw_payloads', 'targets', 'plans', 'rollbacks_applied', 'labels', 'tokens', 'register_loads', 'alert_thresholds'] as const

const noNode = (): never => { throw new AppError('NO_NODE', 'A replay asks no node') }
const source: Source = { head: noNode, header: noNode, ingest: noNode, close: async () => undefined }

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { into: { type: 'string' }, chain: { type: 'string', default: 'ETH' } } })
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints the URL of its embedded server.')
  const into = values.into
  if (into === undefined || !/^[a-z_][a-z0-9_]*$/.test(into) || into === config.CLICKHOUSE_DATABASE) throw new AppError('BAD_ARGUMENT', '--into must name another database (letters, digits, underscores)')
  const chain = findChain(values.chain)
  const normalize = chain === undefined ? undefined : normalizers[chain.id]
  if (chain === undefined || normalize === undefined) throw new AppError('BAD_ARGUMENT', `--chain: ${values.chain} has no pipeline (known: ${Object.keys(normalizers).join(', ')})`)
  await migrate(config.CLICKHOUSE_URL, into)
  const [before, store] = [openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE), openStore(config.CLICKHOUSE_URL, into)]
  if (await newestBlock(store, chain.id) !== null) throw new AppError('BAD_ARGUMENT', `The database ${into} holds blocks of ${chain.id} already: name an empty one`)
  for (const table of taken) await store.execute(`INSERT INTO {table:Identifier} SELECT * FROM {from:Identifier}.{table:Identifier}`, { table, from: config.CLICKHOUSE_DATABASE }, { token: `replay|${table}` })
  await store.execute(`INSERT INTO batches SELECT * FROM {from:Identifier}.batches WHERE stage = 'ingest'`, { from: config.CLICKHOUSE_DATABASE }, { token: 'replay|batches' })
  for (const dictionary of ['label_of', 'token_of']) await store.execute('SYSTEM RELOAD DICTIONARY {dictionary:Identifier}', { dictionary })
  const ledger = openLedger(store)
  const module: ChainModule = { chain, source, normalize, finality: 0, pollMs: 0, maxBatch: 0, startBlock: undefined }
  const context = { config, store, log: pino({ level: 'silent' }), chain: module, again: false, checkpoint: async () => undefined }
  const unfinished = await ledger.unfinished(chain.id, 1_000_000_000)
  for (const [index, { batch }] of unfinished.entries()) {
    for (const stage of pipeline.slice(1)) {
      const started = performance.now()
      await ledger.land(batch, stage.name, await stage.run(batch, context), performance.now() - started)
    }
    process.stdout.write(`\r${index + 1} of ${unfinished.length} batches, up to block ${batch.to}   `)
  }
  const height = await newestBlock(before, chain.id) ?? 0
  const [old, now] = [await stateDigest(before, chain.id, height), await stateDigest(store, chain.id, height)]
  process.stdout.write(`\n${config.CLICKHOUSE_DATABASE}: ${old.digest}\n${into}: ${now.digest}\n${old.digest === now.digest ? 'equal' : `different: ${old.parts.filter((part, index) => part.digest !== now.parts[index]?.digest).map((part) => part.table).join(', ')}`}\n`)
  if (old.digest !== now.digest) process.exitCode = 1
  await Promise.all([before.close(), store.close()])
}

main().catch((thrown: unknown) => {
  process.stderr.write(`${messageOf(thrown)}\n`)
  process.exitCode = 1
})
