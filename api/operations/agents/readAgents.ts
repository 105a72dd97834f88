/** Reads agents: a page of them, or those a word means. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { Agent, AgentRow, Position } from './agent.js'

const listAgents = loadSql(import.meta.url, 'listAgents.sql')

export interface AgentQuery {
  readonly chain: string; readonly limit: number; readonly cursor?: string | undefined
  readonly by?: { readonly id: string } | { readonly address: string } | { readonly name: string }
}
/** Members of an answer that is a page of agents. */
export const agentPageFields = { count: z.number().int(), agents: z.array(Agent), next_cursor: z.string().nullable(), has_more: z.boolean() }

/** A page of agents, newest first. `operation` and `inputs` are what its cursors are for. */
export const agentPage = async (operation: string, inputs: object, { chain, limit, cursor, by }: AgentQuery, ask: Ask) => {
  const { cursors } = ask.services
  const [block, log] = cursor === undefined ? ['18446744073709551615', 4_294_967_295] as const : cursors.read(operation, inputs, cursor, Position)
  const rows = await ask.store.query(listAgents, { chain, limit: limit + 1, block, log, by: by === undefined ? '' : Object.keys(by)[0], id: '0', address: '', name: '', ...by }, AgentRow, {}, ask.signal)
  const page = rows.slice(0, limit), more = rows.length > limit
  return { count: page.length, agents: page.map(({ agent }) => agent), next_cursor: more ? cursors.write(operation, inputs, page.at(-1)?.at) : null, has_more: more }
}
