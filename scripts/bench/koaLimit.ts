/** Bare Koa, as a process: the same bytes from memory, one route for each path. Argument: a JSON file of path → body. Prints its URL. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import Koa from 'koa'

const bodies = new Map(Object.entries(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<string, string>))
const router = new Router()
const answer = (ctx: { path: string; type: string; body: unknown }): void => { ctx.type = 'json'; ctx.body = bodies.get(ctx.path) }
router.get('/v1/blocks/:chain/:number', answer)
for (const path of bodies.keys()) if (!path.startsWith('/v1/blocks/')) router.get(path, answer)
const app = new Koa().use(router.routes())
const handle = app.callback()
const server = createServer((request, response) => { void handle(request, response) }).listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.once('SIGTERM', () => process.exit(0))
