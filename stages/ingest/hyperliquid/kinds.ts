/** What a node's file holds: the folders it lies in say so, those above the folder that is read as well. */
import { relative, sep } from 'node:path'

const kinds = ['node_fills', 'node_trades'] as const
export type Kind = (typeof kinds)[number]
/** What else a node writes has names like these; node_1 is one of several nodes. */
const other = /^node_[a-z]/
/** Folders of times, heights and nodes, which say nothing of what lies in them: of any other (replica_cmds, misc_events) it is not known. */
const plain = /^([\d-]+|hourly|node_\d+)$/

/** The kind that the nearest name in the path of a file below `folder` tells, fills where none does and all folders are of times; else the folder of another kind that it lies in, which only counts below `folder`. */
export const kindOf = (folder: string, path: string): { kind: Kind } | { apart: string } => {
  const names = path.split(sep), above = names.length - relative(folder, path).split(sep).length
  for (let at = names.length - 1; at >= 0; at -= 1) {
    const name = names[at] ?? '', kind = kinds.find((one) => name.startsWith(one))
    if (kind !== undefined) return { kind }
    if (at >= above && at < names.length - 1 && other.test(name)) return { apart: names.slice(above, at + 1).join('/') }
  }
  const strange = names.slice(above, -1).findIndex((name) => !plain.test(name))
  return strange < 0 ? { kind: 'node_fills' } : { apart: names.slice(above, above + strange + 1).join('/') }
}
