/** A replay node behind a door that keeps questions for receipts until it is opened: whoever asks is in the middle of a batch. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startReplayNode, type ReplayOptions } from '../../../scripts/replay-node/server.js'

export interface HeldNode { readonly url: string; /** Resolves when a question is kept. */ readonly kept: Promise<void>; open(): void; close(): Promise<void> }

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

export const startHeldNode = async (options: ReplayOptions): Promise<HeldNode> => {
  const node = await startReplayNode(options)
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => { open = resolve })
  let keep: () => void = () => undefined
  const kept = new Promise<void>((resolve) => { keep = resolve })
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request)
      if (body.includes('eth_getBlockReceipts')) { keep(); await opened }
      const answer = await fetch(node.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      response.setHeader('content-type', 'application/json')
      response.end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', () => { resolve() }) })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, kept, open: () => { open() },
    close: async () => {
      open()
      server.closeAllConnections()
      await new Promise<void>((resolve) => { server.close(() => { resolve() }) })
      await node.close()
    },
  }
}
