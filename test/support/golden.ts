/** Golden files: rows as text, one JSON object a line, gzipped, by height. UPDATE_GOLDEN=1 writes what is compared otherwise. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

const folder = new URL('../golden/ethereum/', import.meta.url)

/** Compares `lines` with the golden file `name`; fails with the first row that differs. */
export const compareGolden = (name: string, lines: readonly string[]): void => {
  const path = new URL(`${name}.ndjson.gz`, folder)
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, gzipSync(lines.join('\n'), { level: 9 }))
  }
  assert.ok(existsSync(path), `no golden file ${name}: run with UPDATE_GOLDEN=1 and read what it says`)
  const golden = gunzipSync(readFileSync(path)).toString('utf8').split('\n')
  const differs = lines.findIndex((line, index) => line !== golden[index])
  if (differs >= 0) assert.deepEqual(JSON.parse(lines[differs] ?? 'null'), JSON.parse(golden[differs] ?? 'null'), `row ${differs}`)
  assert.equal(lines.length, golden.length, 'rows')
}
