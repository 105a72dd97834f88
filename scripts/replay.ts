/**
 * Rebuilds everything after ingest from the stored answers, without a node, into another database, and compares the two states:
 * `npm run replay -- --into hydrophone_replay [--chain ETH] [--whole]`. Point CLICKHOUSE_DATABASE at it to use it.
 * Answers are kept for 30 days: where those of a block are gone, nothing is replayed.
 * `--whole`: what inputs of Bitcoin spend is looked for in all blocks that stand below without a gap, also those that were indexed later. The states differ then by what became known.
 */
import { pino } from 'pino'
import { z } from 'zod'
import { findChain, type Chain } from '../schemas/chains.js'
import { openStore } from '../schemas/clickhouse.js'
import { command, parseOptions } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'
import { migrate } from '../schemas/migrations.js'
import type { BatchRef } from '../schemas/primitives.js'
import { normalizers, parametersOf, readingOf } from '../stages/chains.js'
import { newestBlock, stateDigest } from '../stages/digest/digest.js'
import { openLedger, type Interval } from '../stages/ledger/ledger.js'
import { pipeline } from '../stages/pipeline.js'
import type { ChainModule, Source } from '../stages/stage.js'
import { openScreen } from './up/screen.js'

/**
 * What a replay takes over as it stands: the answers, the plan, what was known of tokens and addresses, and who led. In this order, behind the batches: answers are there before
 * their batch counts as ingested, and go when the plan has ended it.
 */
const taken = ['raw_payloads', 'targets', 'plans', 'rollbacks_applied', 'labels', 'tokens', 'register_loads', 'alert_thresholds', 'leaders', 'leader_runs'] as const

const noNode = (): never => { throw new AppError('NO_NODE', 'A replay asks no node') }
/** The refusal where the answers about these stretches are gone. */
const gone = ({ id, hasBlocks }: Chain, stretches: readonly Interval[]): AppError => {
  const named = stretches.slice(0, 5).map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(', '), more = stretches.length - 5
  return new AppError('ANSWERS_GONE', `Answers are kept for 30 days, and those about ${hasBlocks ? 'blocks' : 'segments'} ${named}${more > 0 ? ` and ${more} further stretches` : ''} of ${id} are gone: without them a replay would lack what came of them. ${hasBlocks ? 'A node has to be asked for them again: name another CLICKHOUSE_DATABASE and backfill it (npm run migrate, npm run backfill).' : 'A venue cannot be asked again for what it said.'}`)
}

await command(async () => {
  const { values } = parseOptions('npm run replay -- --into DATABASE [--chain ETH] [--whole]', { into: { type: 'string' }, chain: { type: 'string', default: 'ETH' }, whole: { type: 'boolean', default: false } })
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints the URL of its embedded server.')
  const into = values.into
  if (into === undefined || !/^[a-z_][a-z0-9_]*$/.test(into) || into === config.CLICKHOUSE_DATABASE) throw new AppError('BAD_ARGUMENT', `--into must name a database other than ${config.CLICKHOUSE_DATABASE} (small letters, digits, underscores)`)
  const chain = findChain(values.chain)
  const reading = chain === undefined ? undefined : readingOf(chain.id)
  if (chain === undefined || reading === undefined) throw new AppError('BAD_ARGUMENT', `--chain: ${values.chain} has no pipeline (known: ${Object.keys(normalizers).join(', ')})`)
  const before = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const lost = await openLedger(before).gone(chain)
  if (lost.length > 0) throw gone(chain, lost)
  await migrate(config.CLICKHOUSE_URL, into)
  const store = openStore(config.CLICKHOUSE_URL, into)
  if (await newestBlock(store, chain.id) !== null) throw new AppError('BAD_ARGUMENT', `The database ${into} holds blocks of ${chain.id} already: name an empty one`)
  // One that was cut off is begun in another database: copies are not compared with what they copy.
  if ((await store.query('SELECT (SELECT count() FROM raw_payloads) + (SELECT count() FROM batches) AS answers', {}, z.object({ answers: z.coerce.number() })))[0]?.answers !== 0) throw new AppError('BAD_ARGUMENT', `The database ${into} holds answers of nodes, perhaps of a replay that was cut off: name an empty one`)
  await store.execute(`INSERT INTO batches SELECT * FROM {from:Identifier}.batches WHERE stage = 'ingest'`, { from: config.CLICKHOUSE_DATABASE })
  for (const table of taken) await store.execute(`INSERT INTO {table:Identifier} SELECT * FROM {from:Identifier}.{table:Identifier}`, { table, from: config.CLICKHOUSE_DATABASE })
  for (const dictionary of ['label_of', 'token_of']) await store.execute('SYSTEM RELOAD DICTIONARY {dictionary:Identifier}', { dictionary })
  const ledger = openLedger(store)
  const parameters = parametersOf(chain.id, config)
  // Answers may go between that look and this.
  const source: Source = { head: noNode, header: noNode, ingest: ({ from, to }: BatchRef) => { throw gone(chain, [{ from, to }]) }, close: async () => undefined }
  const module: ChainModule = { chain, source, ...reading, ...(parameters === undefined ? {} : { parameters }), finality: 0, pollMs: 0, maxBatch: 0, startBlock: undefined }
  const context = { config, store, log: pino({ level: 'silent' }), chain: module, again: false, checkpoint: async () => undefined }
  const screen = openScreen(process.stdout)
  // What was planned and never ingested waits there too, and is nothing to replay.
  const unfinished = (await ledger.unfinished(chain.id, 1_000_000_000)).filter(({ stages }) => stages.has('ingest'))
  let ground = 0
  for (const [index, { batch: planned }] of unfinished.entries()) {
    if (unfinished[index - 1]?.batch.to !== planned.from - 1) ground = planned.from
    const batch = values.whole ? { ...planned, floor: Math.min(planned.floor, ground) } : planned
    for (const stage of pipeline.slice(1)) {
      const started = performance.now()
      await ledger.land(batch, stage.name, await stage.run(batch, context), performance.now() - started)
    }
    screen.progress(`${index + 1} of ${unfinished.length} batches, up to block ${batch.to}`)
  }
  const [height, reached] = [await newestBlock(before, chain.id) ?? 0, await newestBlock(store, chain.id) ?? 0]
  if (height !== reached) throw new AppError('MOVED_ON', `${config.CLICKHOUSE_DATABASE} ends at block ${height}, ${into} at ${reached}: the pipeline was at work meanwhile. ${into} can be used, but not compared; to compare, pause ingest (POST /v1/pipeline/stage/ingest/pause), let the other stages come to rest, and replay into a new one.`)
  const [old, now] = [await stateDigest(before, chain.id, height), await stateDigest(store, chain.id, height)]
  const differing = old.parts.filter((part, index) => part.digest !== now.parts[index]?.digest).map((part) => part.table)
  screen.say(`${config.CLICKHOUSE_DATABASE}: ${old.digest}`)
  screen.say(`${into}: ${now.digest}`)
  screen.say(differing.length === 0 ? 'equal' : `different: ${differing.join(', ')}`)
  return differing.length === 0 ? 0 : 1
})
