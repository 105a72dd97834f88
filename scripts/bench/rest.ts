/** Requests per second of the API beside bare Koa with the same bytes: rounds in turn, medians. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './figures.js'
import { startMeasured } from './processes.js'
import type { Service } from './service.js'

export interface RestFigure { readonly name: string; readonly api: number; readonly koa: number; readonly bytes: number }
export interface RestResult { readonly rounds: number; readonly connections: number; readonly seconds: number; readonly figures: readonly RestFigure[] }

interface Shot { readonly requests: { readonly average: number }; readonly non2xx: number; readonly errors: number }
type Cannon = (options: object) => Promise<Shot>
const cannon = createRequire(import.meta.url)('autocannon') as Cannon
const connections = 20

/** Heights `from`… (`count`) must be indexed; rejects when an answer is not 200. */
export const benchRest = async (service: Service, key: string, from: number, count: number, rounds: number, seconds: number): Promise<RestResult> => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-bench-koa-'))
  const keyed = { 'X-API-Key': key }
  const workloads = [
    { name: 'cached, public: /v1/billing/tiers', paths: ['/v1/billing/tiers'], headers: {} },
    { name: 'cached, public: /v1/feed/swaps/recent', paths: ['/v1/feed/swaps/recent'], headers: {} },
    { name: `single blocks, with a key: /v1/blocks/ETH/{n}, ${count} heights in turn`, paths: Array.from({ length: count }, (_, index) => `/v1/blocks/ETH/${from + index}`), headers: keyed },
  ]
  const bodies: Record<string, string> = {}
  for (const { paths, headers } of workloads) {
    for (const path of paths) {
      const answer = await fetch(service.url + path, { headers })
      bodies[path] = await answer.text()
      if (answer.status !== 200) throw new Error(`bench: ${path} answered ${answer.status} ${bodies[path].slice(0, 200)}`)
    }
  }
  writeFileSync(join(directory, 'bodies.json'), JSON.stringify(bodies))
  const koa = startMeasured(new URL('koaLimit.ts', import.meta.url), [join(directory, 'bodies.json')], { NODE_ENV: 'production' })
  const shoot = async (url: string, paths: readonly string[], headers: object, duration: number): Promise<number> => {
    const shot = await cannon({ url, connections, duration, requests: paths.map((path) => ({ method: 'GET', path, headers })) })
    if (shot.non2xx + shot.errors > 0) throw new Error(`bench: ${shot.non2xx} answers of ${url}${paths[0] ?? ''} were not 2xx, ${shot.errors} failed`)
    return shot.requests.average
  }
  try {
    const bare = await koa.line()
    const figures: RestFigure[] = []
    for (const { name, paths, headers } of workloads) {
      const [ours, theirs]: [number[], number[]] = [[], []]
      // The first shot at each warms its compiler and does not count.
      for (const url of [service.url, bare]) await shoot(url, paths, headers, 2)
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await shoot(service.url, paths, headers, seconds))
        theirs.push(await shoot(bare, paths, headers, seconds))
      }
      figures.push({ name, api: median(ours), koa: median(theirs), bytes: Buffer.byteLength(bodies[paths[0] ?? ''] ?? '') })
    }
    return { rounds, connections, seconds, figures }
  } finally {
    await koa.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
