/** The registry as MCP tools: listed in one order, found by name or alias. */
import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { lanes, type Lane, type Operation } from '../operation.js'
import { pageFields } from '../pages.js'
import { inputOf, outlineOf } from './outline.js'

export interface Tools {
  /** Tools of `only` (null: all), by lane, then by name. */
  list(only: ReadonlySet<Lane> | null): readonly Tool[]
  /** The operation behind a tool's name or alias. */
  find(name: string): Operation | undefined
  /** Tools whose names share most words with `name`, the nearest first; none where none shares one. */
  near(name: string): readonly string[]
}

/** How an answer that is not an object is wrapped: MCP's structured content is one. '' where it is an object already. */
export const wrapperOf = (operation: Operation): '' | 'items' | 'value' => {
  if (operation.status === 204) return 'value'
  return operation.output instanceof z.ZodObject ? '' : operation.output instanceof z.ZodArray ? 'items' : 'value'
}

const answerOf = (operation: Operation): z.ZodObject => {
  const wrapper = wrapperOf(operation)
  return wrapper === '' ? operation.output as z.ZodObject : z.object({ [wrapper]: operation.status === 204 ? z.null() : operation.output, ...(wrapper === 'items' && 'cursor' in operation.input.shape ? pageFields : {}) })
}

const titleOf = (name: string): string => { const words = name.replaceAll('_', ' '); return words.charAt(0).toUpperCase() + words.slice(1) }

const describe = (operation: Operation): Tool => {
  const writes = operation.writes === true
  return {
    name: operation.name, title: titleOf(operation.name),
    description: [operation.summary, ...(operation.role === undefined ? [] : [`Needs a key with the role ${operation.role}.`])].join(' '),
    inputSchema: inputOf(operation.input) as Tool['inputSchema'],
    outputSchema: outlineOf(answerOf(operation), new Set(Object.keys(operation.input.shape))) as NonNullable<Tool['outputSchema']>,
    annotations: {
      readOnlyHint: !writes,
      // What only adds answers 201; every other order may undo something.
      destructiveHint: writes && operation.status !== 201,
      idempotentHint: !writes || operation.route.startsWith('DELETE'),
      openWorldHint: operation.lane === 'raw_rpc',
    },
    _meta: { lane: operation.lane },
  }
}

/** Words that stand in most names. */
const verbs = new Set(['get', 'list', 'show', 'find', 'read', 'fetch'])
const wordsOf = (name: string): readonly string[] => name.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== '' && !verbs.has(word))
/** A word without the s of its plural. */
const singular = (word: string): string => word.replace(/(?<=..)s$/, '')
/** At most three names of tools, by how many words they or an alias share with `asked`, the shorter first; the same word in another number counts a little less. */
const nearest = (asked: string, byName: ReadonlyMap<string, Operation>): readonly string[] => {
  const wanted = new Set(wordsOf(asked)), singulars = new Set([...wanted].map(singular)), shared = new Map<string, number>()
  const worth = (word: string): number => (wanted.has(word) ? 1 : singulars.has(singular(word)) ? 0.9 : 0)
  for (const [name, operation] of byName) shared.set(operation.name, Math.max(shared.get(operation.name) ?? 0, wordsOf(name).reduce((sum, word) => sum + worth(word), 0)))
  return [...shared].filter(([, count]) => count > 0).sort(([a, many], [b, few]) => few - many || a.length - b.length || (a < b ? -1 : 1)).slice(0, 3).map(([name]) => name)
}

export const openTools = (operations: readonly Operation[]): Tools => {
  const offered = operations.filter(({ tool }) => tool).sort((a, b) => lanes.indexOf(a.lane) - lanes.indexOf(b.lane) || (a.name < b.name ? -1 : 1))
  const listed = offered.map((operation) => ({ lane: operation.lane, tool: describe(operation) }))
  const byName = new Map(offered.flatMap((operation) => [operation.name, ...(operation.aliases ?? [])].map((name) => [name, operation] as const)))
  return {
    list: (only) => listed.filter(({ lane }) => only === null || only.has(lane)).map(({ tool }) => tool),
    find: (name) => byName.get(name),
    near: (name) => nearest(name.slice(0, 64), byName),
  }
}
