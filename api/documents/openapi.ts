/** The machine-readable description, and its summary. */
import { describe } from '../openapi.js'
import { version } from '../version.js'
import { entriesOf, toolsOf } from './counts.js'
import type { Document } from './document.js'

const json = 'application/json; charset=utf-8'

export const openapi: Document = {
  name: 'openapi', path: '/openapi.json', type: json, cacheSeconds: 300, summary: 'The machine-readable description, OpenAPI 3.1.',
  text: ({ operations, documents, baseUrl }) => JSON.stringify(describe(operations, baseUrl, documents)),
}

export const openapiSummary: Document = {
  name: 'openapi_summary', path: '/openapi-summary.json', type: json, cacheSeconds: 300, summary: 'Every operation in one line, public ones first, and how many there are.',
  text: (view) => {
    const entries = entriesOf(view)
    const open = entries.filter(({ auth }) => auth === 'public')
    const keyed = entries.filter(({ auth }) => auth === 'key')
    return JSON.stringify({
      version, operations: entries.length, paths: new Set(entries.map(({ path }) => path)).size, public_count: open.length, keyed_count: keyed.length, tool_count: toolsOf(view).length,
      description: `${view.baseUrl}/openapi.json`, public: open, keyed,
    })
  },
}
