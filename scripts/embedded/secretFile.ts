/** A file that its owner alone may read. */
import { rmSync, writeFileSync } from 'node:fs'

/** Writes it anew: a file that is there keeps the mode it was made with. */
export const writeSecretFile = (path: string, text: string): void => {
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o600 })
}
