/** Questions to a 2025 client: two calls of one session ask at once, and each gets the answer to its own. */
import assert from 'node:assert/strict'
import { mcpOf } from '../../api/mcp/endpoint.js'
import { startService, type Service } from '../api/support/service.js'
import { ending } from '../support/endings.js'
import { until } from '../support/pipeline.js'
import { message, post, session } from './support/client.js'
import { fixtureServer } from './support/fixtureServer.js'

describe('questions to the client', function () {
  this.timeout(60_000)
  let service: Service, second: Service
  let url: string
  before(async () => {
    const mounts = (parts: Parameters<typeof mcpOf>[0]) => [mcpOf(parts, fixtureServer)]
    service = await startService({}, { mounts })
    url = `${service.api.url}/mcp`
    const { CLICKHOUSE_DATABASE, QUEUE_PREFIX } = service.api.parts.config
    second = await startService({ CLICKHOUSE_DATABASE, QUEUE_PREFIX }, { mounts })
    await until(async () => (await service.api.parts.redis.pubsub('NUMSUB', `${QUEUE_PREFIX}_mcp`))[1] === 2, 'not both listen')
  })
  after(ending(() => service, () => second))

  /** Calls the tool that asks; gives the number of its question and the rest of its stream. */
  const ask = async (headers: Record<string, string>, id: number): Promise<{ question: number; rest: () => Promise<string> }> => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message('tools/call', { name: 'test_elicitation', arguments: { message: `call ${id}` } }, id)) })
    const reader = answer.body!.getReader()
    let seen = ''
    const more = async (): Promise<boolean> => { const { done, value } = await reader.read(); if (value !== undefined) seen += new TextDecoder().decode(value); return !done }
    while (!seen.includes('elicitation/create')) assert.ok(await more(), seen)
    const asked = JSON.parse(/data: (\{.*elicitation\/create.*)/.exec(seen)?.[1] ?? '') as { id: number; params: { message: string } }
    assert.equal(asked.params.message, `call ${id}`)
    return { question: asked.id, rest: async () => { while (await more()); return seen } }
  }
  const accept = (question: number, name: string) => ({ jsonrpc: '2.0', id: question, result: { action: 'accept', content: { username: name, email: 'x' } } })

  it('each answer finds the call that asked, and only from its own session', async () => {
    const [mine, other] = [await session(url, service.agentKey), await session(url, service.agentKey)]
    const [one, two] = await Promise.all([ask(mine, 11), ask(mine, 12)])
    assert.notEqual(one.question, two.question)
    for (const stray of [accept(one.question, 'stranger'), accept(9_999, 'nobody')]) assert.equal((await post(url, other, stray)).status, 202)
    assert.equal((await post(url, mine, accept(two.question, 'second'))).status, 202)
    assert.match(await two.rest(), /second/)
    assert.equal((await post(url, mine, accept(one.question, 'first'))).status, 202)
    const text = await one.rest()
    assert.match(text, /first/)
    assert.doesNotMatch(text, /stranger|second/)
    assert.equal((await post(url, mine, accept(one.question, 'late'))).status, 202)
  })

  it('an answer sent to another process of the API finds the call, and a session ended there has ended here', async () => {
    const mine = await session(url, service.agentKey), other = `${second.api.url}/mcp`
    const one = await ask(mine, 13)
    assert.equal((await post(other, mine, accept(one.question, 'elsewhere'))).status, 202)
    assert.match(await one.rest(), /elsewhere/)
    assert.equal((await post(other, mine, undefined, 'DELETE')).status, 204)
    assert.equal((await post(url, mine, message('ping'))).status, 404)
  })
})
