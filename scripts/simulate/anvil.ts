/** A real Ethereum node of our own: anvil on loopback, ended by its process id. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createTestClient, http, publicActions, walletActions, type Chain } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { freePort } from '../embedded/ports.js'

const require = createRequire(import.meta.url)
// The package's own wrapper does not pass signals on: the binary is run itself.
const binary = join(dirname(require.resolve(`@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/package.json`)), 'bin', 'anvil')

export type Anvil = Awaited<ReturnType<typeof startAnvil>>

/** Starts anvil with automatic mining off; `client` mines, sends and rewinds. `spawned`: told the process before it answers. */
export const startAnvil = async (options: readonly string[] = [], spawned: (pid: number) => void = () => undefined) => {
  const port = await freePort()
  const child = spawn(binary, ['--port', String(port), '--host', '127.0.0.1', '--no-mining', '--silent', ...options], { stdio: 'ignore' })
  if (child.pid !== undefined) spawned(child.pid)
  const url = `http://127.0.0.1:${port}`
  const chain: Chain = foundry
  const client = createTestClient({ mode: 'anvil', chain, transport: http(url, { retryCount: 0 }), pollingInterval: 20 }).extend(publicActions).extend(walletActions)
  const stop = (): Promise<void> => new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) { resolve(); return }
    child.once('exit', () => { resolve() })
    child.kill('SIGKILL')
  })
  const accounts = Array.from({ length: 5 }, (_, addressIndex) => mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex }))
  for (const deadline = Date.now() + 15_000; ;) {
    try { await client.getChainId(); break } catch (thrown) {
      if (Date.now() > deadline || child.exitCode !== null) { await stop(); throw thrown }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const rpc = (method: string, params: readonly unknown[] = []): Promise<unknown> => client.request({ method: method as never, params: params as never })
  return {
    url, client, chain, accounts, rpc,
    /** Mines `count` blocks, each with a transfer of its own. */
    mine: async (count: number, seed = 0): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        const account = accounts[(index + seed) % accounts.length]
        if (account === undefined) throw new Error('no account')
        await client.sendTransaction({ account, chain, to: accounts[(index + seed + 1) % accounts.length]?.address ?? null, value: BigInt(1 + index + seed) * 10n ** 15n, gas: 21_000n })
        await client.mine({ blocks: 1 })
      }
    },
    stop,
  }
}
