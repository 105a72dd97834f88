/** llms.txt: where to read; llms-full.txt: all of it in one text. */
import { z } from 'zod'
import { needsKey } from '../invoke.js'
import type { Operation } from '../operation.js'
import { isWaiting, supply } from '../supply.js'
import { agentLines } from './agents.js'
import { entriesOf, toolsOf } from './counts.js'
import type { Document } from './document.js'

const type = 'text/plain; charset=utf-8'

export const llms: Document = {
  name: 'llms', path: '/llms.txt', type, cacheSeconds: 300, summary: 'Where to read about the service, for language models.',
  text: (view) => {
    const { baseUrl, documents, operations } = view
    const entries = entriesOf(view)
    const link = (name: string, path: string, summary: string): string => `- [${name}](${baseUrl}${path}): ${summary}`
    return [
      '# Hydrophone', '', `> On-chain intelligence over REST and MCP, from data indexed here: ${supply.about}.`, '', ...(supply.gap === '' ? [] : [supply.gap, '']),
      `${entries.length} operations, ${entries.filter(({ auth }) => auth === 'public').length} of them without a key; ${toolsOf(view).length} MCP tools at ${baseUrl}/mcp. A key: POST ${baseUrl}/v1/keys.`, '',
      '## Documents', '', ...documents.filter(({ part }) => part !== true).map(({ name, path, summary }) => link(name, path, summary)), '',
      '## MCP', '', ...operations.filter(({ route }) => route.startsWith('GET /mcp/')).map(({ name, route, summary }) => link(name, route.slice(4), summary)), '',
      '## Optional', '', link('health', '/health', 'How the service is at this moment'), link('tiers', '/v1/billing/tiers', 'What a key of each tier may do'), '',
    ].join('\n')
  },
}

const fieldsOf = ({ input }: Operation): string[] => {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    if (typeof field === 'boolean') return `- ${name}`
    const facts = [String(field.type ?? 'any'), required.has(name) ? 'required' : '', field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`].filter((fact) => fact !== '')
    return `- ${name} (${facts.join(', ')}): ${field.description ?? ''}`
  })
}

const needs = (operation: Operation): string => {
  const { role, tier } = operation
  return role !== undefined ? `key with the role ${role}` : tier !== undefined ? `key of the tier ${tier}` : needsKey(operation) ? 'key' : 'no key'
}

/** Made once: callers choose the host, which nothing here depends on. */
const told = new WeakMap<readonly Operation[], readonly string[]>()
const linesOf = (operations: readonly Operation[]): readonly string[] => {
  const kept = told.get(operations)
  if (kept !== undefined) return kept
  const lines = operations.flatMap((operation) => [`### ${operation.route}`, '', `${operation.summary} (${needs(operation)}${operation.tool ? `; tool ${operation.name}` : ''}${isWaiting(operation) ? '; no data yet' : ''})`, '', ...fieldsOf(operation), ''])
  told.set(operations, lines)
  return lines
}

export const llmsFull: Document = {
  name: 'llms_full', path: '/llms-full.txt', type, cacheSeconds: 300, summary: 'Everything about the service in one text, for language models.',
  text: (view) => [
    ...agentLines(view), '## Operations', '',
    ...linesOf(view.operations),
  ].join('\n'),
}
