/** What is streamed from a URL: redirects are looked at like the first URL, and an answer that is cut off is none. */
import assert from 'node:assert/strict'
import { MockAgent } from 'undici'
import { openOutbound } from '../../schemas/outbound.js'

const code = (wanted: string) => (thrown: unknown): boolean => (thrown as { code: string }).code === wanted

describe('streams from URLs', () => {
  it('follows redirects to public hosts only, bounds size, and refuses other answers', async () => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    const host = agent.get('https://lists.example.com')
    const reply = (path: string, status: number, body: string, headers: Record<string, string> = {}) => host.intercept({ path, method: 'GET' }).reply(status, body, { headers })
    reply('/moved', 302, '', { location: '/there' })
    reply('/there', 307, '', { location: 'https://files.example.com/list.xml' })
    agent.get('https://files.example.com').intercept({ path: '/list.xml', method: 'GET' }).reply(200, '<list/>')
    reply('/inside', 302, '', { location: 'https://169.254.169.254/latest' })
    reply('/plain', 302, '', { location: 'http://files.example.com/' })
    host.intercept({ path: '/round', method: 'GET' }).reply(302, '', { headers: { location: '/round' } }).times(4)
    reply('/big', 200, 'x'.repeat(2_000))
    reply('/gone', 404, 'no')
    reply('/short', 200, 'half', { 'content-length': '8' })
    const outbound = openOutbound({ dispatcher: agent, bytes: 1_000, milliseconds: 2_000, resolve: () => Promise.resolve(['8.8.8.8']) })
    const read = async (path: string): Promise<string> => { let text = ''; for await (const part of outbound.stream(`https://lists.example.com${path}`)) text += part.toString(); return text }
    assert.equal(await read('/moved'), '<list/>')
    await assert.rejects(read('/inside'), code('URL_REFUSED'))
    await assert.rejects(read('/plain'), code('URL_REFUSED'))
    await assert.rejects(read('/round'), code('FETCH_FAILED'))
    await assert.rejects(read('/big'), code('TOO_LARGE'))
    await assert.rejects(read('/gone'), code('FETCH_FAILED'))
    await assert.rejects(read('/short'), code('FETCH_FAILED'))
    await outbound.close()
  })
})
