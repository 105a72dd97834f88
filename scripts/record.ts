/** Records blocks of ETH_RPC_URL as fixtures: `npm run record -- 18000000 18000001`. Writes files and the index; add the source by hand. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { command, parseOptions } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError, unavailable } from '../schemas/errors.js'
import { apartFromUser } from '../schemas/userOfUrl.js'
import type { FileName, Recorded } from './replay-node/fixtures.js'

const folder = new URL('../test/fixtures/ethereum/', import.meta.url)
const Answer = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() })
const Block = z.object({ number: z.string(), hash: z.string(), parentHash: z.string(), timestamp: z.string(), transactions: z.array(z.object({ hash: z.string() })) })
const Receipts = z.array(z.object({ transactionHash: z.string(), blockHash: z.string(), logs: z.array(z.unknown()) }))

/** The bare result of a call; null where the node has none or does not know the method. */
const ask = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { target, authorization } = apartFromUser(url)
  const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json', ...authorization }, body }).catch((thrown: unknown) => { throw unavailable('The node', (thrown as Error).cause) })
  if (!answer.ok) throw new AppError('NODE_REFUSED', `The node answers ${method} with status ${answer.status}`)
  return Answer.parse(await answer.json()).result ?? null
}

const record = async (url: string, height: number): Promise<Recorded> => {
  const quantity = `0x${height.toString(16)}`
  const results: readonly (readonly [FileName, unknown])[] = [
    ['block', await ask(url, 'eth_getBlockByNumber', [quantity, true])], ['receipts', await ask(url, 'eth_getBlockReceipts', [quantity])],
    ['call_traces', await ask(url, 'debug_traceBlockByNumber', [quantity, { tracer: 'callTracer' }])], ['parity_traces', await ask(url, 'trace_block', [quantity])],
  ]
  for (const [name, result] of results.slice(0, 2)) if (result === null) throw new AppError('NO_BLOCK', `The node has no ${name === 'block' ? `block ${height}` : `receipts of block ${height} (eth_getBlockReceipts)`}`)
  const block = Block.parse(results[0]?.[1])
  const receipts = Receipts.parse(results[1]?.[1])
  const whole = receipts.length === block.transactions.length && receipts.every((receipt, index) => receipt.blockHash === block.hash && receipt.transactionHash === block.transactions[index]?.hash)
  if (!whole) throw new AppError('NOT_WHOLE', `The receipts of block ${height} do not belong to its transactions`)
  mkdirSync(new URL(`${height}/`, folder), { recursive: true })
  const there = results.filter(([, result]) => result !== null)
  for (const [name, result] of there) writeFileSync(new URL(`${height}/${name}.json.gz`, folder), gzipSync(JSON.stringify(result), { level: 9 }))
  return {
    height, hash: block.hash, parentHash: block.parentHash, timestamp: Number(block.timestamp), txs: block.transactions.length,
    logs: receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0), files: there.map(([name]) => name),
  }
}

await command(async () => {
  const usage = 'ETH_RPC_URL=… npm run record -- HEIGHT …'
  const { positionals: heights } = parseOptions(usage, {}, true)
  const strange = heights.find((text) => !/^\d+$/.test(text))
  if (heights.length === 0 || strange !== undefined) throw new AppError('BAD_ARGUMENT', `${strange === undefined ? 'No height was given' : `'${strange}' is not a block number`}\nusage: ${usage}`)
  const [url] = parseConfig(process.env).ETH_RPC_URL ?? []
  if (url === undefined) throw new AppError('BAD_ENVIRONMENT', `ETH_RPC_URL is not set: blocks are recorded from a node\nusage: ${usage}`)
  const path = new URL('index.json', folder)
  const index = new Map((JSON.parse(readFileSync(path, 'utf8')) as Recorded[]).map((block) => [block.height, block]))
  for (const height of heights.map(Number)) index.set(height, await record(url, height))
  const lines = [...index.values()].sort((left, right) => left.height - right.height).map((block) => `  ${JSON.stringify(block)}`)
  writeFileSync(path, `[\n${lines.join(',\n')}\n]\n`)
  process.stdout.write(`Recorded ${heights.join(', ')}. Add a line for each to SOURCES.md.\n`)
  return 0
})
