import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { variables } from '../../schemas/config.js'
import { root } from '../support/run.js'
import { nodeArguments } from '../../scripts/nodeArguments.js'

interface Bind { type: string; source: string; target: string; read_only: boolean; bind: { create_host_path: boolean } }
interface Service {
  image?: string; build?: string; command?: string[]; environment?: Record<string, string | null>; volumes?: (string | Bind)[]; extra_hosts?: string[]; ports?: string[]; stop_grace_period?: string
  healthcheck?: { test: string[] }; depends_on?: Record<string, { condition: string }>; restart?: string
}
interface Compose { services: Record<string, Service>; volumes: Record<string, unknown> }
interface Package { scripts: Record<string, string>; dependencies: Record<string, string>; engines: { node: string } }

const text = (path: string): string => readFileSync(`${root}${path}`, 'utf8')
const { services, volumes } = parse(text('docker-compose.yml'), { merge: true }) as Compose
const manifest = JSON.parse(text('package.json')) as Package
const service = (name: string): Service => { const found = services[name]; assert.ok(found, `${name} is missing`); return found }

describe('docker-compose.yml and Dockerfile', () => {
  it('run the two stores, one migration, the API and the worker from one image', () => {
    assert.deepEqual(Object.keys(services).sort(), ['api', 'clickhouse', 'migrate', 'redis', 'worker'])
    assert.deepEqual(['api', 'migrate', 'worker'].map((name) => [service(name).build, service(name).image]), Array.from({ length: 3 }, () => ['.', 'hydrophone']))
    assert.match(service('clickhouse').image ?? '', /^clickhouse\/clickhouse-server:26\.7$/)
  })

  it('keep state in volumes; Redis appends and never evicts', () => {
    const kept = ['clickhouse', 'redis'].map((name) => service(name).volumes?.[0]).map((volume) => (typeof volume === 'string' ? volume.split(':') : []))
    assert.deepEqual(kept, [['clickhouse', '/var/lib/clickhouse'], ['redis', '/data']])
    assert.deepEqual(Object.keys(volumes).sort(), ['clickhouse', 'redis'])
    const command = (service('redis').command ?? []).join(' ')
    for (const setting of ['--appendonly yes', '--appendfsync everysec', '--maxmemory-policy noeviction']) assert.ok(command.includes(setting), setting)
  })

  it('let worker and API ask a node of this machine, and the worker read the files of one', () => {
    for (const name of ['api', 'worker']) assert.deepEqual(service(name).extra_hosts, ['host.docker.internal:host-gateway'], name)
    const [files = assert.fail('no files are mounted'), ...others] = service('worker').volumes ?? []
    assert.deepEqual([typeof files === 'object' && { ...files, source: '', target: '' }, others], [{ type: 'bind', source: '', target: '', read_only: true, bind: { create_host_path: false } }, []])
    // HL_FILES_DIR is passed on as it is: what it names must have that name inside. Unset, something is mounted that is there on both sides.
    const { source, target } = files as Bind, [, outside = ''] = /^\$\{HL_FILES_DIR:-\.\/(.+)\}$/.exec(source) ?? []
    assert.equal(target, `\${HL_FILES_DIR:-/app/${outside}}`)
    assert.ok(existsSync(`${root}${outside}`) && text('Dockerfile').includes(`\nWORKDIR /app\n`) && text('Dockerfile').includes(`\nCOPY ${outside} ${outside}\n`))
    for (const path of ['README.md', 'docker-compose.yml']) assert.ok(text(path).includes('host.docker.internal'), path)
  })

  it('start in order, after healthy stores and a finished migration', () => {
    for (const name of ['api', 'worker']) assert.deepEqual(service(name).depends_on, { migrate: { condition: 'service_completed_successfully' }, redis: { condition: 'service_healthy' } })
    assert.deepEqual(service('migrate').depends_on, { clickhouse: { condition: 'service_healthy' } })
    assert.equal(service('migrate').restart, 'no')
    for (const name of ['clickhouse', 'redis', 'api', 'worker']) assert.ok((service(name).healthcheck?.test.length ?? 0) > 1, name)
    assert.ok(service('worker').healthcheck?.test.join(' ').includes(`:${service('worker').environment?.['METRICS_PORT']}/metrics`))
    assert.ok(service('api').healthcheck?.test.join(' ').includes(`:${service('api').environment?.['PORT']}/v1/meta`))
  })

  it('leave a process more time to end than it takes to drain', () => {
    const drain = variables.SHUTDOWN_SECONDS.parse(undefined)
    // Whatever SHUTDOWN_SECONDS is set to: the period is made of it.
    for (const name of ['api', 'worker']) {
      const [, usual = '0', more = '0'] = /^\$\{SHUTDOWN_SECONDS:-(\d+)\}s(\d+)ms$/.exec(service(name).stop_grace_period ?? '') ?? []
      assert.equal(Number(usual), drain, name)
      assert.ok(Number(more) >= 5_000, name)
    }
  })

  it('pass on every variable that means something in a container, and no other', () => {
    const own = new Set(['DATA_DIR', 'METRICS_PORT', 'WEBHOOKS_TO_LOOPBACK'])
    for (const name of ['api', 'migrate', 'worker']) {
      const given = Object.entries(service(name).environment ?? {}).filter(([variable]) => name !== 'worker' || variable !== 'METRICS_PORT')
      assert.deepEqual(given.map(([variable]) => variable).filter((variable) => !(variable in variables)), [], name)
      assert.deepEqual(Object.keys(variables).filter((variable) => !own.has(variable) && !given.some(([one]) => one === variable)), [], `${name} does not get these`)
      // A value would be taken for everybody's: only what the containers themselves decide has one.
      assert.deepEqual(given.filter(([, value]) => value !== null).map(([variable]) => variable).sort(), ['CLICKHOUSE_URL', 'HOST', 'PORT', 'REDIS_URL'], name)
    }
    assert.ok('METRICS_PORT' in (service('worker').environment ?? {}))
  })

  it('have no password that everybody knows: without one of the operator\'s own they do not start, and say what to do', () => {
    const uses = [...text('docker-compose.yml').matchAll(/\$\{CLICKHOUSE_PASSWORD([^}]*)\}/g)].map(([, otherwise]) => otherwise ?? '')
    assert.equal(uses.length, 2)
    for (const otherwise of uses) assert.match(otherwise, /^:\?.*CLICKHOUSE_PASSWORD=.*\.env/)
    assert.deepEqual([services['clickhouse']?.ports, services['redis']?.ports], [undefined, undefined])
    assert.ok(text('README.md').includes('`CLICKHOUSE_PASSWORD=…`'))
  })

  it('listen to this machine alone, and call programs that exist', () => {
    assert.deepEqual(service('api').ports, ['127.0.0.1:${PORT:-8080}:8080'])
    const image = text('Dockerfile')
    const copied = [...image.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths]) => (paths ?? '').split(' '))
    for (const path of copied) assert.ok(existsSync(`${root}${path}`), path)
    const commands = [...['api', 'migrate', 'worker'].map((name) => service(name).command), JSON.parse(/^CMD (.+)$/m.exec(image)?.[1] ?? '[]') as string[]].filter((command) => command !== undefined)
    for (const command of commands) {
      const script = command.at(-1) ?? '', own = ['node', ...nodeArguments(script), script]
      assert.deepEqual(command, own, 'node itself gets the signals')
      assert.ok(Object.values(manifest.scripts).some((line) => line.endsWith(script === 'scripts/migrate.ts' ? `tsx ${script}` : own.join(' '))), script)
      assert.ok(copied.includes(script.split('/')[0] ?? ''), `${script} is not in the image`)
    }
    assert.ok('tsx' in manifest.dependencies, 'the image has no development dependencies')
    assert.match(image, /^USER node$/m)
  })

  it('agree on the oldest Node', () => {
    const least = /(\d+\.\d+)/.exec(manifest.engines.node)?.[1] ?? ''
    assert.ok(text('Dockerfile').startsWith(`# One image`) && text('Dockerfile').includes(`FROM node:${least}-`), least)
    assert.ok(text('scripts/bootstrap.mjs').includes(`needs Node ${least} or newer`) && text('README.md').includes(`Node ≥ ${least}`), least)
  })
})

describe('.ci/run and README', () => {
  it('name commands that exist, and the checks a change must pass', () => {
    for (const path of ['.ci/run', 'README.md']) {
      const named = [...text(path).matchAll(/npm (?:run (?:--silent )?)?([\w-]+)/g)].map(([, name]) => name ?? '').filter((name) => name !== 'ci' && name !== 'install')
      assert.ok(named.length > 2)
      assert.deepEqual(named.filter((name) => !(name in manifest.scripts) && name !== 'and'), [], path)
    }
    for (const check of ['types', 'lint', 'npm test']) assert.ok(text('.ci/run').includes(check), check)
    assert.ok(text('README.md').includes('.ci/run'))
  })

  it('npm passes its signals to what runs for long: no shell stands between', () => {
    for (const name of ['up', 'test', 'worker', 'api']) assert.match(manifest.scripts[name] ?? '', /^exec node /, name)
  })

  it('README names only variables that exist', () => {
    const named = [...text('README.md').matchAll(/\b((?:ETH|CLICKHOUSE|REDIS|DATA|QUEUE|JOB|SHUTDOWN|METRICS|CURSOR|LOG|PUBLIC|INSTANT)_[A-Z_]+)\b/g)].map(([, name]) => name ?? '')
    assert.deepEqual([...new Set(named)].filter((name) => !(name in variables) && name !== 'CLICKHOUSE_PASSWORD'), [])
  })
})
