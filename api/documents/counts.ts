/** What there is, counted once: every document that gives a number takes it from here. */
import type { Operation } from '../operation.js'
import { needsKey } from '../invoke.js'
import { isWaiting } from '../supply.js'
import { openTools } from '../mcp/tools.js'
import type { View } from './document.js'

export interface Entry {
  readonly name: string; readonly method: string; readonly path: string; readonly auth: 'public' | 'key'; readonly role: string | null; readonly tier: string | null; readonly lane: string
  /** Name of the MCP tool that asks the same; null: REST only. */
  readonly tool: string | null
  readonly summary: string
}

const entryOf = (operation: Operation): Entry => {
  const { name, route, role, tier, lane, tool, summary } = operation
  const [method = '', path = ''] = route.split(' ')
  return { name, method, path, auth: needsKey(operation) ? 'key' : 'public', role: role ?? null, tier: tier ?? null, lane, tool: tool ? name : null, summary }
}

/** Operations in the order of the registry, then documents. */
export const entriesOf = ({ operations, documents }: Pick<View, 'operations' | 'documents'>): readonly Entry[] => [
  ...operations.map(entryOf),
  ...documents.filter(({ part }) => part !== true).map(({ name, path, summary }): Entry => ({ name, method: 'GET', path, auth: 'public', role: null, tier: null, lane: 'system', tool: null, summary })),
]

interface ListedTool { readonly name: string; readonly lane: string; readonly summary: string; readonly aliases: readonly string[]; readonly waiting: boolean }

const toolsMade = new WeakMap<View['operations'], readonly ListedTool[]>()
/** Tools as tools/list gives them, made once; waiting: nothing fills what they read yet. */
export const toolsOf = ({ operations }: Pick<View, 'operations'>): readonly ListedTool[] => {
  const made = toolsMade.get(operations)
  if (made !== undefined) return made
  const tools = openTools(operations)
  const listed = tools.list(null).flatMap(({ name }) => {
    const operation = tools.find(name)
    return operation === undefined ? [] : [{ name, lane: operation.lane, summary: operation.summary, aliases: operation.aliases ?? [], waiting: isWaiting(operation) }]
  })
  toolsMade.set(operations, listed)
  return listed
}
