/** One question asked over REST and as an MCP tool in turn, one at a time: what the protocol adds. */
import { median } from './figures.js'
import type { Service } from './service.js'

export interface TwinsResult { readonly calls: number; readonly rest: number; readonly mcp: number }

const protocol = '2026-07-28'
const meta = { 'io.modelcontextprotocol/protocolVersion': protocol, 'io.modelcontextprotocol/clientCapabilities': {}, 'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' } }

/** Medians in milliseconds; rejects when the two do not answer with the same block. */
export const benchTwins = async (service: Service, key: string, height: number, calls = 300): Promise<TwinsResult> => {
  const timed = async (url: string, init: RequestInit): Promise<readonly [number, string]> => {
    const started = performance.now()
    const answer = await fetch(url, init)
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`bench: ${url} answered ${answer.status} ${text.slice(0, 200)}`)
    return [performance.now() - started, text]
  }
  const rest = () => timed(`${service.url}/v1/blocks/ETH/${height}`, { headers: { 'X-API-Key': key } })
  const mcp = () => timed(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Accept': 'application/json, text/event-stream', 'MCP-Protocol-Version': protocol, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'get_block' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_block', arguments: { chain: 'ETH', block_number: height }, _meta: meta } }),
  })
  const [[, bare], [, wrapped]] = [await rest(), await mcp()]
  const payload = (JSON.parse(wrapped) as { result?: { structuredContent?: object } }).result?.structuredContent
  if (JSON.stringify((payload as { block?: object } | undefined)?.block) !== JSON.stringify((JSON.parse(bare) as { block: object }).block)) throw new Error(`bench: MCP and REST differ: ${wrapped.slice(0, 200)}`)
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let call = 0; call < calls * 2; call += 1) {
    const [[first], [second]] = [await rest(), await mcp()]
    // The first half warms the compiler and does not count.
    if (call >= calls) { ours.push(first); theirs.push(second) }
  }
  return { calls, rest: median(ours), mcp: median(theirs) }
}
