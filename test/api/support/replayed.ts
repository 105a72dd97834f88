/** A call asked of a running service, as it is recorded: over REST and, where it is a tool, over MCP. */
import assert from 'node:assert/strict'
import type { Call } from '../../../api/documents/calls.js'
import type { Recorded } from '../../../api/documents/recorded.js'
import { operations } from '../../../api/registry.js'
import { message, post } from '../../mcp/support/client.js'
import type { Service } from './service.js'

/** Members that belong to the build or to the moment. */
const passing: Readonly<Record<string, unknown>> = { git_commit: '0'.repeat(40), chunkFreshness: 0, age_seconds: 0, uptime_seconds: 0 }
const day = 86_400_000
const isNow = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && Math.abs(Date.parse(text) - Date.now()) < 2 * day

/** Ages, cursors, times of this moment and addresses of this machine become the same each time; everything else is of the blocks. */
const still = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (name, item: unknown) => {
  if ((name === 'next_cursor' || name === 'deeper_cursor') && typeof item === 'string') return `<${name}>`
  if (Object.hasOwn(passing, name) && item !== null) return passing[name]
  if (typeof item !== 'string') return item
  return isNow(item) ? '2026-01-01T00:00:00.000Z' : item.replace(/\d+ (s|min|h|days) old/, 'some days old').replace(/^http:\/\/127\.0\.0\.1:\d+/, 'http://127.0.0.1:8080')
}))

/** `call` as recorded.json has it, asked now; fails where it is refused. */
export const replay = async ({ operation: name, arguments: args }: Call, service: Service, headers: Record<string, string>): Promise<Recorded['calls'][number]> => {
  const operation = operations.find((one) => one.name === name)
  assert.ok(operation !== undefined && operation.writes !== true, name)
  const [method = '', template = ''] = operation.route.split(' ')
  const inPath = new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, field]) => field ?? ''))
  const path = template.replace(/\{(\w+)\}/g, (_whole, field: string) => encodeURIComponent(String(args[field])))
  const rest = Object.entries(args).filter(([field]) => !inPath.has(field))
  const query = method === 'GET' && rest.length > 0 ? `?${new URLSearchParams(rest.map(([field, value]): [string, string] => [field, String(value)])).toString()}` : ''
  const answered = await service.call(`${method} ${path}${query}`, method === 'GET' ? {} : { body: Object.fromEntries(rest) })
  assert.equal(answered.status, 200, `${name}: ${answered.text}`)
  const asked = operation.tool ? await post(`${service.api.url}/mcp`, headers, message('tools/call', { name, arguments: args })) : null
  assert.equal(asked?.body.result.isError, undefined, asked?.text)
  const [answer, payload] = [still(answered.body), asked === null ? null : still(asked.body.result.structuredContent) as Record<string, unknown>]
  return { operation: name, arguments: args, answer, payload: payload !== null && JSON.stringify(payload) === JSON.stringify(answer) ? 'answer' : payload }
}
