/** Real nodes of Bitcoin Core's family of our own: Debian's litecoind in regtest on loopback, ended by its process id. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../embedded/ports.js'
import { program } from '../embedded/program.js'

/** Hash of block 0 of Litecoin's regtest. */
export const litecoinRegtest = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'

const server = { title: 'litecoind', names: ['litecoind'], package: 'litecoind', argument: '-version', code: 'LITECOIND_MISSING', otherwise: 'Install Debian\'s package litecoind (0.21) by hand: the live tests of Bitcoin run on it.' }

/** What a node refuses, with its own code. */
export class Refused extends Error { constructor(method: string, message: string, readonly code: number) { super(`${method}: ${message}`) } }

/** Asks `done` until it says so; rejects after `seconds` with what `why` says. */
export const patiently = async (done: () => Promise<boolean>, why: () => Promise<string>, seconds = 60): Promise<void> => {
  for (const deadline = Date.now() + seconds * 1_000; !(await done());) {
    if (Date.now() > deadline) throw new Error(`${await why()} (after ${seconds} s)`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

interface Answer { readonly result: unknown; readonly error: { readonly message: string; readonly code: number } | null }
/** The JSON-RPC answer; null where there is none: the node's queue of calls is full. */
const answerOf = (text: string): Answer | null => { try { return JSON.parse(text) as Answer } catch { return null } }

const open = async (name: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-litecoin-'))
  const [rpcPort, port] = [await freePort(), await freePort()]
  let child: ChildProcess | undefined
  const rpc = async <Result>(method: string, ...params: readonly unknown[]): Promise<Result> => {
    for (const deadline = Date.now() + 20_000; ;) {
      const response = await fetch(`http://127.0.0.1:${rpcPort}/`, { method: 'POST', headers: { authorization: `Basic ${Buffer.from('user:tide-table').toString('base64')}` }, body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }) })
      const text = await response.text(), answer = answerOf(text)
      if (answer !== null && answer.error === null) return answer.result as Result
      if (answer?.error) throw new Refused(method, answer.error.message, answer.error.code)
      if (Date.now() > deadline) throw new Error(`${method}: HTTP ${response.status} ${text.slice(0, 100)}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const start = async (): Promise<void> => {
    // Whoever is killed takes the node along: it would run for ever.
    const started = spawn('setpriv', ['--pdeathsig', 'KILL', name, '-regtest', `-datadir=${directory}`, '-server', '-rest', '-txindex=1', '-rpcuser=user', '-rpcpassword=tide-table', `-rpcport=${rpcPort}`, `-port=${port}`, `-bind=127.0.0.1:${port}`,
      '-rpcbind=127.0.0.1', '-rpcallowip=127.0.0.1', '-fallbackfee=0.0002', '-vbparams=mweb:1900000000:1999999999', '-dnsseed=0', '-discover=0', '-listenonion=0', '-printtoconsole=0'], { stdio: 'ignore' })
    child = started
    let last: unknown, ended: Error | undefined
    started.once('error', (fault) => { ended = fault })
    started.once('exit', (code, signal) => { ended = new Error(`litecoind ended with ${code ?? signal ?? '?'} at its start`) })
    await patiently(async () => {
      if (ended !== undefined) throw ended
      return rpc('getblockcount').then(() => true, (thrown: unknown) => { last = thrown; return false })
    }, async () => `litecoind does not answer: ${String(last)}`, 60)
    // A wallet that was made by a call is not loaded again by itself.
    if ((await rpc<string[]>('listwallets')).length === 0) await rpc('loadwallet', 'w').catch((thrown: unknown) => { if (thrown instanceof Refused && thrown.code === -18) return rpc('createwallet', 'w'); throw thrown })
  }
  const kill = (): Promise<void> => new Promise((resolve) => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) { resolve(); return }
    child.once('exit', () => { resolve() })
    child.kill('SIGKILL')
  })
  const stop = async (): Promise<void> => { await kill(); rmSync(directory, { recursive: true, force: true }) }
  try {
    await start()
    const address = await rpc<string>('getnewaddress')
    return {
      url: `http://user:tide-table@127.0.0.1:${rpcPort}`, port, rpc, address, stop,
      /** Mines `count` blocks that pay this node's wallet; resolves to their hashes. */
      mine: (count: number): Promise<string[]> => rpc('generatetoaddress', count, address),
      /** Hash of the newest block of its chain. */
      best: (): Promise<string> => rpc('getbestblockhash'),
      /** Ends the node in the middle of whatever it does, and starts it again: blocks it had not written yet are gone. */
      restart: async (): Promise<void> => { await kill(); await start() },
    }
  } catch (thrown) { await stop(); throw thrown }
}

export type Litecoin = Awaited<ReturnType<typeof open>>

/** Starts a node with a wallet; REST is on. Extension blocks never begin: with them mining stops at block 431. */
export const startLitecoin = async (): Promise<Litecoin> => {
  const name = program(server)
  // A port that was free may be taken a moment later: then the node ends at once, and gets others.
  return open(name).catch(() => open(name))
}

interface Peer { readonly id: number; readonly inbound: boolean; readonly version: number }
const peersOf = (node: Litecoin): Promise<Peer[]> => node.rpc('getpeerinfo')
const shownTip = async (node: Litecoin): Promise<string> => `${await node.rpc<number>('getblockcount')} ${(await node.best()).slice(0, 12)}, ${(await peersOf(node)).length} peers`

/** Connects `a` to `b`; resolves when both have greeted each other and stand on the same block. */
export const meet = (a: Litecoin, b: Litecoin): Promise<void> => patiently(async () => {
  const called = (await peersOf(a)).filter(({ inbound }) => !inbound)
  // One try may come to nothing: the other node may still hold the connection that has just ended.
  if (called.length === 0) await a.rpc('addnode', `127.0.0.1:${b.port}`, 'onetry')
  return called.some(({ version }) => version > 0) && await a.best() === await b.best()
}, async () => `the nodes do not come together: ${await shownTip(a)}; ${await shownTip(b)}`)

/** Ends every connection of `a` and `b`; resolves when both know it. */
export const part = (a: Litecoin, b: Litecoin): Promise<void> => patiently(async () => {
  for (const { id } of await peersOf(a)) await a.rpc('disconnectnode', '', id).catch((thrown: unknown) => { if (!(thrown instanceof Refused) || thrown.code !== -29) throw thrown })
  return (await peersOf(a)).length + (await peersOf(b)).length === 0
}, async () => 'the nodes stay together')
