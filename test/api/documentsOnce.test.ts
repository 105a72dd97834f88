/** What documents are made of: callers choose the host they ask under, so what does not depend on it is made once. */
import assert from 'node:assert/strict'
import { toolsOf } from '../../api/documents/counts.js'
import { documents } from '../../api/documents/list.js'
import { describe as describeApi } from '../../api/openapi.js'
import { serveDocuments } from '../../api/documents/serve.js'
import type { Parts } from '../../api/context.js'
import { operations } from '../../api/registry.js'

describe('documents under many hosts', () => {
  it('share the paths of the description and the list of tools', () => {
    const [one, two] = ['http://a.example', 'http://b.example'].map((baseUrl) => describeApi(operations, baseUrl, documents) as { servers: readonly { url: string }[]; paths: object })
    assert.deepEqual([one?.servers[0]?.url, two?.servers[0]?.url], ['http://a.example', 'http://b.example'])
    assert.ok(one?.paths === two?.paths, 'the paths are made anew')
    assert.ok(toolsOf({ operations }) === toolsOf({ operations }), 'the tools are made anew')
    assert.equal(Object.keys(describeApi(operations.slice(0, 1), 'http://a.example', []).paths as object).length, 1, 'each registry has its own')
  })
  it('a document that says nothing of its host is made once for all of them', async () => {
    const views = ['http://a.example', 'http://b.example'].map((baseUrl) => ({ operations, documents, baseUrl, parts: {} as never }))
    for (const document of documents.filter(({ anywhere }) => anywhere === true)) {
      const [one = '', two = ''] = await Promise.all(views.map(async (view) => document.text(view)))
      assert.ok(one === two && one.length > 0, document.path)
      let made = 0
      const { text } = document
      Object.assign(document, { text: (...view: Parameters<typeof text>) => { made++; return text(...view) } })
      const serve = serveDocuments({ operations } as Parts)
      try {
        for (const { baseUrl } of views) await serve({ path: document.path, method: 'GET', querystring: '', state: { baseUrl }, set: () => undefined, get: () => '' } as never, async () => undefined)
        assert.equal(made, 1, document.path)
      } finally { Object.assign(document, { text }) }
    }
    assert.ok(documents.some(({ anywhere }) => anywhere === true))
  })

  it('a document is made anew when its time is over, also under a clock that was set back', async () => {
    const document = documents.find(({ anywhere }) => anywhere === true) ?? assert.fail(), { text, cacheSeconds } = document, clock = Date.now
    let made = 0
    Object.assign(document, { cacheSeconds: 0.05, text: () => { made++; return 'x' } })
    let back = 0
    Date.now = () => clock() - back
    const serve = serveDocuments({ operations } as Parts)
    const ask = () => serve({ path: document.path, method: 'GET', querystring: '', state: { baseUrl: 'http://a.example' }, set: () => undefined, get: () => '' } as never, async () => undefined)
    try {
      await ask()
      back = 3_600_000
      await new Promise((resolve) => setTimeout(resolve, 100))
      await ask()
      assert.equal(made, 2)
    } finally { Date.now = clock; Object.assign(document, { text, cacheSeconds }) }
  })
})
