/** The conformance suite cannot send a key, so this stands between: it adds one and passes everything else on as it came. */
import { createServer, request } from 'node:http'

export interface Proxy { readonly url: string; close(): Promise<void> }

export const startProxy = async (target: string, key: string): Promise<Proxy> => {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const sent = request({ hostname, port, path: incoming.url, method: incoming.method, headers: { ...incoming.headers, 'x-api-key': key } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sent.on('error', () => { outgoing.destroy() })
    outgoing.on('close', () => { sent.destroy() })
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', () => { resolve() }) })
  const at = server.address()
  return {
    url: `http://localhost:${typeof at === 'object' && at !== null ? at.port : 0}/mcp`,
    close: () => new Promise((resolve) => { server.close(() => { resolve() }); server.closeAllConnections() }),
  }
}
