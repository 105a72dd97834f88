/** The landing page of agents, in Markdown: a key, a connection, how to read answers, every tool by lane. */
import { instructions } from '../mcp/instructions.js'
import { lanes } from '../operation.js'
import { supply } from '../supply.js'
import { keyLifetimeDays, keysPerIpPerDay, tiers } from '../tiers.js'
import { toolsOf } from './counts.js'
import type { Document, View } from './document.js'

const toolLines = (view: View): string[] => {
  const tools = toolsOf(view)
  return lanes.flatMap((lane) => {
    const mine = tools.filter((tool) => tool.lane === lane)
    return mine.length === 0 ? [] : ['', `### ${lane}`, '', ...mine.map(({ name, aliases, summary, waiting }) => `- \`${name}\`${aliases.length === 0 ? '' : ` (also ${aliases.map((alias) => `\`${alias}\``).join(', ')})`}: ${summary}${waiting ? ' (No data yet.)' : ''}`)]
  })
}

/** The page's lines; llms-full.txt has them too. */
export const agentLines = (view: View): readonly string[] => {
  const { baseUrl, parts: { config } } = view
  const free = tiers(config).find(({ id }) => id === 'free')
  return [
    '# Hydrophone for agents', '', `On-chain intelligence over REST and MCP, from data indexed here: ${supply.about}.`, '', ...(supply.gap === '' ? [] : [supply.gap, '']),
    '## Get a key', '', '```', `curl -X POST ${baseUrl}/v1/keys`, '```', '',
    `No sign-up, no body: at most ${keysPerIpPerDay} keys a day for each address, good for ${keyLifetimeDays} days, ${free?.perMinute ?? 0} requests a minute and ${free?.daily ?? 'any number of'} a day. The same key works on REST and MCP.`, '',
    '## Connect over MCP', '', '```json', JSON.stringify({ mcpServers: { hydrophone: { type: 'http', url: `${baseUrl}/mcp`, headers: { 'X-API-Key': '<API_KEY>' } } } }, null, 2), '```', '',
    'Send `Accept: application/json, text/event-stream`: leaving it out is the commonest failure. `?lanes=whales,market` gives fewer tools, `?max_tokens=8000` longer answers.',
    `Calls to try, with their answers: ${baseUrl}/mcp/fixtures.json. All tools with their schemas: ${baseUrl}/mcp/tools.json.`, '',
    '## Call REST', '', '```', `curl -H 'X-API-Key: <API_KEY>' '${baseUrl}/v1/blocks/latest?chain=ETH'`, '```', '',
    `Every operation: ${baseUrl}/openapi-summary.json; with schemas: ${baseUrl}/openapi.json; for people: ${baseUrl}/redoc.`, '',
    '## Read answers', '', ...instructions.split('\n').map((line) => `- ${line}`), '',
    '## Errors', '',
    '- 401, 403, 422, 429, 5xx: `{error: {code, message, docs}}`; 422 adds `hint` and `details`.',
    '- Unknown path, 404: `{error: "NOT_FOUND", path, method, hint}`.',
    '- Unknown chain (404) or unusable cursor (400): `{detail: {error, received, valid_chains, hint}}`.',
    '- 429: wait until `X-RateLimit-Reset` (Unix seconds), or `Retry-After` seconds.', '',
    `## Tools (${toolsOf(view).length})`, ...toolLines(view), '',
  ]
}

const agents: Document = {
  name: 'agents_page', path: '/agents.md', type: 'text/markdown; charset=utf-8', cacheSeconds: 300, summary: 'The landing page of agents: a key, a connection, how to read answers, every tool.',
  text: (view) => agentLines(view).join('\n'),
}
export default agents
