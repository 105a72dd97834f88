/** The build that answers, as reports and /attestation name it. */
import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../schemas/config.js'
import { schemaHead } from '../schemas/migrations.js'
import { serverVersion } from './mcp/server.js'
import { version } from './version.js'

const read = (path: string): string | null => {
  const url = new URL(`../.git/${path}`, import.meta.url)
  return existsSync(url) ? readFileSync(url, 'utf8') : null
}

/** The commit checked out beside the code, in 40 hex digits; null where there is no repository. */
const checkedOut = (): string | null => {
  const head = read('HEAD')?.trim() ?? ''
  const ref = /^ref: (\S+)$/.exec(head)?.[1]
  const commit = ref === undefined ? head : read(ref)?.trim() ?? read('packed-refs')?.split('\n').find((line) => line.endsWith(` ${ref}`))?.slice(0, 40) ?? ''
  return /^[0-9a-f]{40}$/.test(commit) ? commit : null
}

/** Taken when the process starts: a later checkout does not change what runs. */
const commitAtStart = checkedOut()

export interface Build { readonly git_commit: string | null; readonly schema_head: string; readonly versions: { readonly service: string; readonly rest: string; readonly mcp: string; readonly node: string } }

/** GIT_COMMIT where it is set (images carry no repository), else the commit checked out; null: not known. */
export const buildOf = ({ GIT_COMMIT: given }: Pick<Config, 'GIT_COMMIT'>): Build => ({
  git_commit: given ?? commitAtStart, schema_head: schemaHead(), versions: { service: version, rest: 'v1', mcp: serverVersion, node: process.versions.node },
})
