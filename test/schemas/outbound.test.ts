/** URLs that strangers chose: what is refused before and after a name is resolved, and what bounds an answer. */
import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { MockAgent } from 'undici'
import { checkUrl, isPublicAddress, openOutbound, publicAddresses } from '../../schemas/outbound.js'

const code = (wanted: string) => (thrown: unknown): boolean => (thrown as { code: string }).code === wanted

describe('URLs that strangers chose', () => {
  it('only public addresses are public', () => {
    for (const one of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111']) assert.equal(isPublicAddress(one), true, one)
    for (const one of [
      '0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.170', '192.168.1.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255',
      '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '64:ff9b::7f00:1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '2002:7f00:1::', '2001::1', 'nonsense', '',
    ]) assert.equal(isPublicAddress(one), false, one)
  })

  it('only https to a public host without credentials or port', () => {
    assert.equal(checkUrl('https://agents.example.com/a?b=c').hostname, 'agents.example.com')
    for (const one of ['http://127.0.0.1:9/', 'http://10.0.0.1/', 'http://localhost/', 'https://127.0.0.1/', 'http://x@127.0.0.1/']) assert.equal((() => { try { return checkUrl(one, true).hostname } catch { return '' } })(), one === 'http://127.0.0.1:9/' ? '127.0.0.1' : '', one)
    for (const one of [
      'http://example.com', 'ftp://example.com', 'file:///etc/passwd', 'javascript:alert(1)', 'https://user:pass@example.com', 'https://example.com:8443', 'https://127.0.0.1', 'https://2130706433', 'https://0x7f.1', 'https://017700000001',
      'https://[::1]', 'https://[::ffff:127.0.0.1]', 'https://[fe80::1]', 'https://169.254.169.254/latest/meta-data', 'https://localhost', 'https://localhost.', 'https://redis', 'https://metadata.google.internal', 'https://x.local', 'https://',
      'nonsense', '', `https://example.com/${'x'.repeat(3_000)}`,
    ]) assert.throws(() => checkUrl(one), code('URL_REFUSED'), one)
  })

  it('a name is refused as soon as one of its addresses is not public', async () => {
    assert.deepEqual(await publicAddresses('a.com', () => Promise.resolve(['8.8.8.8', '2606:4700::1111'])), ['8.8.8.8', '2606:4700::1111'])
    for (const bad of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:10.0.0.1'], []]) await assert.rejects(publicAddresses('a.com', () => Promise.resolve(bad)), code('URL_REFUSED'))
  })

  it('no connection is made to an address that was refused; a name is resolved once, for the connection itself', async () => {
    let connections = 0
    const inside = createServer((socket) => { connections++; socket.destroy() })
    await new Promise<void>((resolve) => { inside.listen(0, '127.0.0.1', resolve) })
    const asked: string[] = []
    // First a public address, then this machine: what a name does that wants to get past a check made before.
    const outbound = openOutbound({ milliseconds: 2_000, resolve: (host) => { asked.push(host); return Promise.resolve(asked.length === 1 ? ['127.0.0.1'] : ['8.8.8.8']) } })
    await assert.rejects(outbound.get('https://rebinding.example.com/'), code('URL_REFUSED'))
    assert.deepEqual([asked, connections], [['rebinding.example.com'], 0])
    asked.length = 0
    await assert.rejects(outbound.post('https://rebinding.example.com/', '{}', {}), code('URL_REFUSED'))
    for (const one of ['http://127.0.0.1:80/', 'https://[::1]/']) await assert.rejects(outbound.post(one, '{}', {}), code('URL_REFUSED'))
    assert.deepEqual([asked, connections], [['rebinding.example.com'], 0])
    await outbound.close()
    inside.close()
  })

  it('what is sent to one host at once waits for no other answer of it', async () => {
    const receiver = createHttpServer((_, response) => { setTimeout(() => { response.end() }, 300) })
    await new Promise<void>((resolve) => { receiver.listen(0, '127.0.0.1', resolve) })
    const outbound = openOutbound({ loopback: true, milliseconds: 10_000 })
    const sent = await Promise.allSettled(Array.from({ length: 16 }, () => outbound.post(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, '{}', {})))
    assert.deepEqual(sent.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))), sent.map(() => 200))
    await outbound.close()
    receiver.close()
  })

  it('bounds: size, time, redirects, other answers', async () => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    const host = agent.get('https://files.example.com')
    const reply = (path: string, status: number, body: string, headers: Record<string, string> = {}) => host.intercept({ path, method: 'GET' }).reply(status, body, { headers })
    reply('/ok', 200, '{"name":"x"}', { 'content-type': 'application/json' })
    reply('/big', 200, 'x'.repeat(70_000))
    reply('/announced', 200, 'x', { 'content-length': '70000' })
    reply('/moved', 302, '', { location: 'https://169.254.169.254/' })
    reply('/gone', 404, 'no')
    host.intercept({ path: '/slow', method: 'GET' }).reply(200, 'late').delay(3_000)
    const outbound = openOutbound({ dispatcher: agent, milliseconds: 300, resolve: () => Promise.resolve(['8.8.8.8']) })
    const get = (path: string) => outbound.get(`https://files.example.com${path}`)
    assert.deepEqual(await get('/ok'), { text: '{"name":"x"}', type: 'application/json' })
    await assert.rejects(get('/big'), code('TOO_LARGE'))
    await assert.rejects(get('/announced'), code('TOO_LARGE'))
    await assert.rejects(get('/moved'), /redirect/)
    await assert.rejects(get('/gone'), /HTTP 404/)
    await assert.rejects(get('/slow'), code('FETCH_FAILED'))
    await outbound.close()
  })
})
