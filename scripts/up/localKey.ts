/** A key of this machine's own, for the commands `up` prints: an instant key in DATA_DIR/local-key, readable by the owner only. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeSecretFile } from '../embedded/secretFile.js'

const read = (path: string): string | undefined => { try { return readFileSync(path, 'utf8').trim() } catch { return undefined } }

/** The key in the file while the API takes it, else a new one; null where it gives none now, as to an address that asked for many: nothing but what is printed needs it. */
export const localKey = async (url: string, dataDir: string): Promise<string | null> => {
  const path = join(dataDir, 'local-key')
  const present = read(path)
  if (present !== undefined && (await fetch(`${url}/v1/auth/me`, { headers: { 'x-api-key': present } })).ok) return present
  const answer = await fetch(`${url}/v1/keys`, { method: 'POST' })
  if (!answer.ok) return null
  const key = z.object({ api_key: z.string() }).parse(await answer.json()).api_key
  writeSecretFile(path, `${key}\n`)
  return key
}
