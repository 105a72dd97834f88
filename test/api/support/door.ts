/** A way to a server that can be cut. */
import { createServer, connect, type Socket } from 'node:net'

export interface Door { readonly url: string; cut(): void; /** From now on nothing is passed on, and nobody is told. */ hold(): void; /** New connections are passed on again; those before stay silent. */ open(): void; close(): void }

/** Listens on a port of its own and passes everything on to `target`, until it is cut. */
export const openDoor = async (target: string): Promise<Door> => {
  const { protocol, hostname, port: behind } = new URL(target)
  const sockets = new Set<Socket>()
  let closed = false, held = false
  const server = createServer((inner) => {
    if (closed) { inner.destroy(); return }
    const outer = connect(Number(behind), hostname)
    for (const socket of [inner, outer]) { sockets.add(socket); socket.on('error', () => socket.destroy()) }
    if (!held) inner.pipe(outer).pipe(inner)
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const { port } = server.address() as { port: number }
  const cut = (): void => { closed = true; for (const socket of sockets) socket.destroy() }
  const hold = (): void => { held = true; for (const socket of sockets) socket.unpipe().pause() }
  const open = (): void => { held = false }
  return { url: `${protocol}//127.0.0.1:${port}`, cut, hold, open, close: () => { cut(); server.close() } }
}
