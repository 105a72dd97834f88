import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Refusal { readonly code: number; readonly message: string; readonly data?: string; readonly status?: number }

/** A node in front of another that refuses the methods named, of calls that hold `only`, with an error and its status; `refuse`: whether it does so from now on. */
export const lackingNode = async (url: string, methods: readonly string[], { status = 200, ...error }: Refusal = { code: -32601, message: 'the method does not exist' }, only = '') => {
  let refuses = true
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const { method, id } = JSON.parse(text) as { method?: string; id?: number }
      if (refuses && method !== undefined && methods.includes(method) && text.includes(only)) {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error }))
        return
      }
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text }).then((answer) => answer.text()).then((body) => { response.end(body) }, () => { response.destroy() })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { refuse: (whether: boolean): void => { refuses = whether }, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => new Promise<void>((resolve) => { server.close(() => { resolve() }); server.closeAllConnections() }) }
}
