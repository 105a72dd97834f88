/** Ports on loopback. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Any TCP port that the system gives, free on 127.0.0.1 a moment ago. */
const givenPort = (): Promise<number> => new Promise((resolve, reject) => {
  const server = createServer()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => { if (address !== null && typeof address === 'object') resolve(address.port); else reject(new Error('no port')) })
  })
})

/** The first TCP port from `first` on that is free on 127.0.0.1. Below those that the system gives to connections it stays free while a program is started anew. */
export const freePortFrom = async (first: number): Promise<number> => {
  for (let port = first; port < Math.min(first + 100, 65_536); port += 1) if (await whyTaken(port, '127.0.0.1') === undefined) return port
  return givenPort()
}

/** A TCP port that was free on 127.0.0.1 a moment ago, below those that the system gives to connections unless it is told otherwise: it stays free until somebody listens on it. */
export const freePort = (): Promise<number> => freePortFrom(randomInt(10_000, 30_000))

/** The system's code for why `port` cannot be listened on at `host` (EADDRINUSE: another program does); undefined: it can. */
export const whyTaken = (port: number, host: string): Promise<string | undefined> => new Promise((resolve) => {
  const server = createServer()
  server.once('error', (fault: NodeJS.ErrnoException) => { resolve(fault.code ?? fault.message) })
  server.listen(port, host, () => { server.close(() => { resolve(undefined) }) })
})
