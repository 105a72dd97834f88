/** Ports on loopback. */
import { createServer } from 'node:net'

/** A TCP port that was free on 127.0.0.1 a moment ago. */
export const freePort = (): Promise<number> => new Promise((resolve, reject) => {
  const server = createServer()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => { if (address !== null && typeof address === 'object') resolve(address.port); else reject(new Error('no port')) })
  })
})

/** Whether `port` can be listened on at `host`. */
export const isFree = (port: number, host: string): Promise<boolean> => new Promise((resolve) => {
  const server = createServer()
  server.once('error', () => { resolve(false) })
  server.listen(port, host, () => { server.close(() => { resolve(true) }) })
})
