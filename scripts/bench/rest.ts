/** Requests per second of the API beside bare Koa with the same bytes: rounds in turn, medians. And of questions never asked before. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beginFolder, endFolder } from './begun.js'
import { median } from './figures.js'
import { startMeasured } from './processes.js'
import type { Service } from './service.js'
import { benchTwins, type TwinsResult } from './twins.js'

export interface RestFigure { readonly name: string; readonly api: number; readonly koa: number; readonly bytes: number; /** Of the API, in milliseconds. */ readonly p99: number }
export interface MadeFigure { readonly name: string; readonly rate: number; readonly p99: number }
export interface RestResult {
  readonly rounds: number; readonly connections: number; readonly seconds: number; readonly figures: readonly RestFigure[]
  /** Requests per second and p99 in milliseconds where every answer has to be made: one that is never kept, and one of wide rows never asked before. */
  readonly made: readonly [MadeFigure, MadeFigure]
  readonly twins: TwinsResult
}

interface Shot { readonly requests: { readonly average: number }; readonly latency: { readonly p99: number }; readonly non2xx: number; readonly errors: number }
type Cannon = (options: object) => Promise<Shot>
const cannon = createRequire(import.meta.url)('autocannon') as Cannon
const connections = 50

const rateOf = (shots: readonly Shot[]): number => median(shots.map((shot) => shot.requests.average))
const tailOf = (shots: readonly Shot[]): number => median(shots.map((shot) => shot.latency.p99))

/** Heights `from`… (`count`) must be indexed; rejects when an answer is not 200. */
export const benchRest = async (service: Service, key: string, from: number, count: number, rounds: number, seconds: number): Promise<RestResult> => {
  const directory = beginFolder('koa-')
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
  let refusal = ''
  const shoot = async (url: string, requests: readonly { readonly path: string }[], duration: number): Promise<Shot> => {
    const shot = await cannon({ url, connections, duration, requests })
    if (shot.non2xx + shot.errors > 0) throw new Error(`bench: ${shot.non2xx} answers of ${url}${requests[0]?.path ?? ''} were not 2xx, ${shot.errors} failed${refusal}`)
    return shot
  }
  /** No two requests are alike: each asks for a path of its own. */
  let asked = 0
  const made = async (name: string, path: (index: number) => string): Promise<MadeFigure> => {
    const unlike = {
      method: 'GET', path: path(0), headers: keyed, setupRequest: (request: object) => ({ ...request, path: path(asked++) }),
      onResponse: (status: number, body: string): void => { if (status > 299) refusal = `: ${status} ${body.slice(0, 300)}` },
    }
    await shoot(service.url, [unlike], 2)
    const shots: Shot[] = []
    for (let round = 0; round < rounds; round += 1) shots.push(await shoot(service.url, [unlike], seconds))
    return { name, rate: rateOf(shots), p99: tailOf(shots) }
  }
  try {
    const bare = await koa.line()
    const figures: RestFigure[] = []
    for (const { name, paths, headers } of workloads) {
      const requests = paths.map((path) => ({ method: 'GET', path, headers }))
      const [ours, theirs]: [Shot[], Shot[]] = [[], []]
      // The first shot at each warms its compiler and does not count.
      for (const url of [service.url, bare]) await shoot(url, requests, 2)
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await shoot(service.url, requests, seconds))
        theirs.push(await shoot(bare, requests, seconds))
      }
      figures.push({ name, api: rateOf(ours), koa: rateOf(theirs), bytes: Buffer.byteLength(bodies[paths[0] ?? ''] ?? ''), p99: tailOf(ours) })
    }
    const each = [
      await made('with a key, never cached: /v1/tags/event/{id}', (index) => `/v1/tags/event/bench:${index}`),
      await made('with a key, never asked before: /v1/blocks/ETH?limit=10&since={t}', (index) => `/v1/blocks/ETH?limit=10&since=${new Date(1_500_000_000_000 + index).toISOString()}`),
    ] as const
    return { rounds, connections, seconds, figures, made: each, twins: await benchTwins(service, key, from) }
  } finally {
    await koa.stop()
    endFolder(directory)
  }
}
