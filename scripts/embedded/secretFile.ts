/** Files and directories that their owner alone may read. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'

/** Writes it anew: a file that is there keeps the mode it was made with. */
export const writeSecretFile = (path: string, text: string): void => {
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o600 })
}

/** Makes it where it is missing: what a store keeps (keys that sign, secrets of webhooks) is readable by whoever gets in. */
export const makeOwnDirectory = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  // One that is there may be another user's, or on a file system without modes: then it stays as its owner made it.
  try { chmodSync(path, 0o700) } catch { /* as it is */ }
}
