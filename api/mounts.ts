/** Parts of the site beside the registry, explicitly: the MCP endpoint, the queue board, the console. Each gets the API's parts to share. */
import type { Mount, Parts } from './context.js'
import { board } from './board.js'
import { mcp } from './mcp/endpoint.js'

export type MountPart = (parts: Omit<Parts, 'mounts'>) => Mount

export const mounts: readonly MountPart[] = [mcp, board]
