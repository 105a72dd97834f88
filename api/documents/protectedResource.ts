/** RFC 9728: what a client that was refused at /mcp may read of how to be let in. Keys are bearer tokens here; no authorization server is named until there is one. */
import type { Document } from './document.js'

export const protectedResource: Document = {
  name: 'mcp_protected_resource', path: '/.well-known/oauth-protected-resource/mcp', type: 'application/json; charset=utf-8', cacheSeconds: 3_600, summary: 'How the MCP endpoint is let in to (RFC 9728).',
  text: ({ baseUrl }) => JSON.stringify({ resource: `${baseUrl}/mcp`, resource_name: 'Hydrophone', bearer_methods_supported: ['header'], resource_documentation: `${baseUrl}/agents.md` }),
}
