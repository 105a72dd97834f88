/** The MCP manifest: where the endpoint is, how to speak to it, which tools it has. */
import { lanes } from '../operation.js'
import { serverVersion } from '../mcp/server.js'
import { supply } from '../supply.js'
import { toolsOf } from './counts.js'
import type { Document } from './document.js'

const manifest: Document = {
  name: 'mcp_manifest', path: '/.well-known/mcp.json', type: 'application/json; charset=utf-8', cacheSeconds: 300, summary: 'The MCP manifest: endpoint, headers, tools by lane, how many there are.',
  text: (view) => {
    const { baseUrl } = view
    const tools = toolsOf(view)
    const byLane = lanes.map((lane) => ({ lane, tools: tools.filter((tool) => tool.lane === lane).map(({ name }) => name) })).filter((one) => one.tools.length > 0)
    return JSON.stringify({
      name: 'hydrophone', title: 'Hydrophone', version: serverVersion, description: `On-chain intelligence from data indexed here: ${supply.about}.${supply.gap === '' ? '' : ` ${supply.gap}`}`,
      chains: { indexed: supply.indexed, awaited: supply.awaited }, waiting_tools: tools.filter(({ waiting }) => waiting).map(({ name }) => name),
      endpoint: `${baseUrl}/mcp`, transport: 'streamable-http', protocol_versions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'], tool_count: tools.length, lanes: byLane,
      narrow: { lanes: `${baseUrl}/mcp?lanes=whales,market`, max_tokens: `${baseUrl}/mcp?max_tokens=8000` },
      authentication: { type: 'api_key', header: 'X-API-Key', alternative: 'Authorization: Bearer <API_KEY>', get_key: `POST ${baseUrl}/v1/keys` },
      headers: { 'X-API-Key': '<API_KEY>', 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      links: { tools: `${baseUrl}/mcp/tools.json`, fixtures: `${baseUrl}/mcp/fixtures.json`, agents: `${baseUrl}/agents.md`, llms: `${baseUrl}/llms.txt`, openapi: `${baseUrl}/openapi.json`, attestation: `${baseUrl}/attestation` },
    })
  },
}
export default manifest
