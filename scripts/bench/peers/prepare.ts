/** Before the run: Postgres is there, and every peer's folder has its dependencies. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../schemas/errors.js'
import { folderOf, peers, type Peer } from './peer.js'
import { findPostgres } from './postgres.js'

/** A peer and, where its dependencies could not be installed, why. */
export interface Prepared { readonly peer: Peer; readonly failure?: string }

const changed = (path: string): number => { try { return statSync(path).mtimeMs } catch { return 0 } }

/** What `npm ci` answered when it failed; undefined when the folder is ready. Programs of packages that run at their installation are left out. */
const install = (folder: string, say: (text: string) => void): string | undefined => {
  if (changed(join(folder, 'node_modules/.package-lock.json')) > changed(join(folder, 'package-lock.json'))) return undefined
  say(`installing into ${folder} …`)
  try {
    execFileSync('npm', ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', timeout: 600_000 })
    return undefined
  } catch (thrown) {
    return `npm ci failed: ${messageOf(thrown).trim().split('\n').slice(0, 6).join(' ')}`
  }
}

/** Throws where Postgres is missing; a peer that cannot be installed is carried on as one that failed. */
export const preparePeers = (say: (text: string) => void): readonly Prepared[] => {
  findPostgres()
  const failures = new Map([...new Set(peers.map(({ folder }) => folder))].map((folder) => [folder, install(folderOf(folder), say)]))
  return peers.map((peer) => {
    const failure = failures.get(peer.folder)
    return failure === undefined ? { peer } : { peer, failure }
  })
}
