/** A real node of Bitcoin Core's family of our own: Debian's litecoind in regtest on loopback, ended by its process id. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../embedded/ports.js'
import { program } from '../embedded/program.js'

/** Hash of block 0 of Litecoin's regtest. */
export const litecoinRegtest = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'

const server = { title: 'litecoind', names: ['litecoind'], package: 'litecoind', argument: '-version', code: 'LITECOIND_MISSING', otherwise: 'Install Debian\'s package litecoind (0.21) by hand: the live tests of Bitcoin run on it.' }

export type Litecoin = Awaited<ReturnType<typeof startLitecoin>>

/** Starts a node with a wallet; REST is on. Extension blocks never begin: with them mining stops at block 431. */
export const startLitecoin = async () => {
  const name = program(server), directory = mkdtempSync(join(tmpdir(), 'hydrophone-litecoin-'))
  const [rpcPort, port] = [await freePort(), await freePort()]
  const url = `http://user:secret@127.0.0.1:${rpcPort}`
  let child: ChildProcess | undefined
  const rpc = async <Result>(method: string, ...params: readonly unknown[]): Promise<Result> => {
    const answer = await fetch(`http://127.0.0.1:${rpcPort}/`, { method: 'POST', headers: { authorization: `Basic ${Buffer.from('user:secret').toString('base64')}` }, body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }) })
    const { result, error } = await answer.json() as { result: Result; error: { message: string } | null }
    if (error !== null) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const start = async (): Promise<void> => {
    const started = spawn(name, ['-regtest', `-datadir=${directory}`, '-server', '-rest', '-txindex=1', '-rpcuser=user', '-rpcpassword=secret', `-rpcport=${rpcPort}`, `-port=${port}`, `-bind=127.0.0.1:${port}`,
      '-rpcbind=127.0.0.1', '-rpcallowip=127.0.0.1', '-fallbackfee=0.0002', '-vbparams=mweb:1900000000:1999999999', '-dnsseed=0', '-discover=0', '-listenonion=0', '-printtoconsole=0'], { stdio: 'ignore' })
    child = started
    for (const deadline = Date.now() + 60_000; ;) {
      try { await rpc('getblockcount'); return } catch (thrown) {
        if (started.exitCode !== null || Date.now() > deadline) throw thrown
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }
  const kill = (signal: NodeJS.Signals): Promise<void> => new Promise((resolve) => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) { resolve(); return }
    child.once('exit', () => { resolve() })
    child.kill(signal)
  })
  await start()
  await rpc('createwallet', 'w')
  const address = await rpc<string>('getnewaddress')
  return {
    url, port, rpc, address,
    /** Mines `count` blocks that pay this node's wallet; resolves to their hashes. */
    mine: (count: number): Promise<string[]> => rpc('generatetoaddress', count, address),
    /** Ends the node in the middle of whatever it does, and starts it again. */
    restart: async (): Promise<void> => { await kill('SIGKILL'); await start(); await rpc('loadwallet', 'w').catch(() => undefined) },
    stop: async (): Promise<void> => { await kill('SIGKILL'); rmSync(directory, { recursive: true, force: true }) },
  }
}
