/** Raw POSTs to /mcp, and a 2025 session in one step. */
import { request } from 'node:http'

export interface Answer { readonly status: number; readonly headers: Readonly<Record<string, string | string[] | undefined>>; readonly text: string; readonly body: any }
export const usual = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

/** Sends exactly the headers given; the message of an SSE answer becomes the body. */
export const post = (url: string, headers: Record<string, string>, body: unknown, method = 'POST'): Promise<Answer> => new Promise((resolve, reject) => {
  const sent = request(url, { method, headers }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => { chunks.push(chunk) })
    answer.on('error', reject)
    answer.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text
      let parsed: unknown
      try { parsed = JSON.parse(data) } catch { parsed = undefined }
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: parsed })
    })
  })
  sent.on('error', reject)
  sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
})

export const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } } }
export const message = (method: string, params: Record<string, unknown> = {}, id: number | undefined = 2) => ({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params })

/** Headers of a fresh session for `key`. */
export const session = async (url: string, key: string): Promise<Record<string, string>> => {
  const opened = await post(url, { ...usual, 'X-API-Key': key }, initialize)
  return { ...usual, 'X-API-Key': key, 'Mcp-Session-Id': String(opened.headers['mcp-session-id']), 'MCP-Protocol-Version': '2025-11-25' }
}

/** A 2026-07-28 request: its headers and its message. */
export const modern = (method: string, params: Record<string, unknown> = {}, name?: string) => ({
  headers: { ...usual, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...(name === undefined ? {} : { 'Mcp-Name': name }) },
  body: message(method, { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}, 'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' } } }),
})
