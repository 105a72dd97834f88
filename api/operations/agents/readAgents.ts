/** Reads agents: a page of them, or those a word means. */
import type { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { AgentRow, type Position } from './agent.js'

const listAgents = loadSql(import.meta.url, 'listAgents.sql')

export interface AgentQuery {
  readonly chain: string; readonly limit: number; readonly below?: z.infer<typeof Position> | undefined
  readonly by?: { readonly id: string } | { readonly address: string } | { readonly name: string }
}

export const readAgents = ({ chain, limit, below, by }: AgentQuery, ask: Ask): Promise<z.infer<typeof AgentRow>[]> => {
  const [block, log] = below ?? ['18446744073709551615', 4_294_967_295]
  const given = { id: '0', address: '', name: '', ...by }
  return ask.store.query(listAgents, { chain, limit, block, log, by: by === undefined ? '' : Object.keys(by)[0], ...given }, AgentRow, {}, ask.signal)
}
