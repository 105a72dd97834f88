import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

interface Locked { readonly packages: Readonly<Record<string, { readonly version?: string; readonly name?: string }>> }

describe('what bitcoin-core brings with it', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Locked
  const versions = (name: string): string[] => Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`)).map(([, entry]) => `${entry.name ?? name} ${entry.version ?? ''}`)
  const atLeast = (entry: string, least: readonly number[]): boolean => {
    const parts = (entry.split(' ')[1] ?? '').split('.').map(Number)
    const at = least.findIndex((part, index) => part !== parts[index])
    return at === -1 || (parts[at] ?? 0) > (least[at] ?? 0)
  }

  it('is a maintained request, not the abandoned one', () => {
    assert.deepEqual(versions('request').map((entry) => entry.split(' ')[0]), ['@cypress/request'])
    assert.ok(versions('request').every((entry) => atLeast(entry, [3, 0, 10])), versions('request').join())
  })

  it('has no cookie jar and no form writer with known holes', () => {
    for (const [name, least] of [['tough-cookie', [4, 1, 3]], ['form-data', [4, 0, 4]]] as const) {
      assert.ok(versions(name).length > 0)
      assert.deepEqual(versions(name).filter((entry) => !atLeast(entry, least)), [])
    }
  })
})
