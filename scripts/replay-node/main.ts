/** The replay node as a process: `node --import tsx/esm scripts/replay-node/main.ts [--chain BTC] --port 8545 [--from 20000000 --count 1000] …` */
import { parseArgs } from 'node:util'
import { messageOf } from '../../schemas/errors.js'
import { startBitcoinNode } from './bitcoin/server.js'
import type { Faults } from './faults.js'
import { startReplayNode } from './server.js'

const { values } = parseArgs({
  options: {
    chain: { type: 'string', default: 'ETH' }, port: { type: 'string' }, 'chain-id': { type: 'string' }, from: { type: 'string' }, count: { type: 'string' }, shapes: { type: 'string' }, time: { type: 'string' },
    head: { type: 'string' }, 'advance-ms': { type: 'string' }, finality: { type: 'string' }, 'latency-ms': { type: 'string' }, faults: { type: 'string' }, seed: { type: 'string' }, zmq: { type: 'string' },
  },
})
const number = (name: keyof typeof values): number | undefined => {
  const text = values[name]
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new Error(`--${name}: a whole number was expected, not '${text}'`)
  return Number(text)
}
/** Leaves out what was not given. */
const given = <Value extends object>(value: Value): { [Name in keyof Value]: Exclude<Value[Name], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never

try {
  const from = number('from')
  const count = number('count')
  const shapes = values.shapes?.split(',').map(Number)
  const wire = { port: number('port'), head: number('head'), advanceMs: number('advance-ms'), latencyMs: number('latency-ms'), seed: number('seed'), faults: values.faults === undefined ? undefined : JSON.parse(values.faults) as Faults }
  const range = from === undefined || count === undefined ? undefined : given({ from, count, shapes, time: number('time') })
  if (values.zmq !== undefined && values.chain !== 'BTC') throw new Error('--zmq: only a node of Bitcoin (--chain BTC) publishes its heads')
  const node = values.chain === 'BTC'
    ? await startBitcoinNode(given({ ...wire, relink: range, zmq: values.zmq }))
    : await startReplayNode(given({ ...wire, chainId: number('chain-id'), finality: number('finality'), renumber: range }))
  process.stdout.write(`${node.url}\n`)
  const end = (): void => { void node.close().then(() => { process.exit(0) }) }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
} catch (thrown) {
  process.stderr.write(`${messageOf(thrown)}\n`)
  process.exitCode = 1
}
