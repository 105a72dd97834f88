import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, normalize, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tops = ['schemas', 'stages', 'workers', 'api', 'scripts', 'test']
const walk = (folder: string): string[] => readdirSync(join(root, folder)).flatMap((name) => {
  const path = join(folder, name)
  if (path === join('test', 'fixtures')) return []
  return statSync(join(root, path)).isDirectory() ? walk(path) : [path]
})
const files = tops.flatMap(walk)
const text = (path: string): string => readFileSync(join(root, path), 'utf8')
const lines = (path: string): number => text(path).split('\n').length - 1

/** Folders a folder's files may import from, itself included. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  schemas: ['schemas'], stages: ['stages', 'schemas'], workers: ['workers', 'stages', 'schemas'], api: ['api', 'workers', 'schemas'], scripts: tops, test: tops,
}

describe('layout', () => {
  it('imports go one way: api → workers, schemas; workers → stages → schemas', () => {
    const wrong = files.filter((path) => path.endsWith('.ts')).flatMap((path) => {
      const [top = ''] = path.split('/')
      const imports = [...text(path).matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map((match) => normalize(join(dirname(path), match[1] ?? '')))
      return imports.filter((target) => !(mayImport[top] ?? []).includes(target.split('/')[0] ?? '')).map((target) => `${path} imports ${target}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('only workers import the queue library, only one file the ClickHouse client', () => {
    const importers = (name: string): string[] => files.filter((path) => path.endsWith('.ts') && new RegExp(`from '${name}(/[^']*)?'`).test(text(path)) && !path.startsWith('test/') && !path.startsWith('scripts/'))
    assert.deepEqual(importers('bullmq').filter((path) => !path.startsWith('workers/')), [])
    assert.deepEqual(importers('@clickhouse/client').filter((path) => !path.startsWith('schemas/')), [])
  })

  it('every .sql opens with a contract and has no spliced values', () => {
    const sql = files.filter((path) => path.endsWith('.sql'))
    assert.ok(sql.length > 20)
    assert.deepEqual(sql.filter((path) => !/^-- \S/.test(text(path))), [])
    assert.deepEqual(sql.filter((path) => text(path).includes('${')), [])
  })

  it('files are small: none over 300 lines, the median under 80', () => {
    const sizes = files.filter((path) => /\.(ts|sql|mjs)$/.test(path)).map((path) => ({ path, size: lines(path) })).sort((left, right) => left.size - right.size)
    assert.deepEqual(sizes.filter(({ size }) => size > 300), [])
    const median = sizes[sizes.length >> 1]?.size ?? 0
    assert.ok(median < 80, `the median is ${median} lines`)
  })

  it('the bootstrap and the checks of a change are programs that parse', () => {
    execFileSync(process.execPath, ['--check', join(root, 'scripts/bootstrap.mjs')])
    execFileSync('bash', ['-n', join(root, '.ci/run')])
  })

  it('the lockfile names every optional package, also of other platforms: npm ci refuses one that does not', () => {
    interface Locked { version?: string; optionalDependencies?: Record<string, string> }
    const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, Locked> }
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => Object.keys(optionalDependencies)
      .filter((name) => packages[`node_modules/${name}`] === undefined && packages[`${path}/node_modules/${name}`] === undefined))
    assert.deepEqual(missing, [])
    assert.deepEqual(Object.entries(packages).filter(([path, { version }]) => path !== '' && version === undefined), [])
  })
})
