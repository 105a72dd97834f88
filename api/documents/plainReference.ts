/** The reference as plain HTML made from the registry, for readers that run no script. Its links are relative to the page it stands in. */
import { z } from 'zod'
import { needsKey } from '../invoke.js'
import type { Operation } from '../operation.js'

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const opening = [
  '<h1>Hydrophone</h1><p>Machine-readable: <a href="openapi.json">openapi.json</a>. Send a key as <code>X-API-Key</code>; <code>POST /v1/keys</code> gives one.</p>',
  '<h2 id="errors">Errors</h2><p>401, 403, 422, 429 and 5xx: <code>{error: {code, message, docs}}</code>. Unknown path: <code>{error: "NOT_FOUND", path, method, hint}</code>.',
  'Chain and cursor errors: <code>{detail: {error, received, valid_chains, hint}}</code>.</p>',
].join(' ')

const fieldsOf = (operation: Operation): string => {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    if (typeof field === 'boolean') return ''
    const bounds = [field.minimum === undefined ? '' : `≥ ${field.minimum}`, field.maximum === undefined || field.maximum >= Number.MAX_SAFE_INTEGER ? '' : `≤ ${field.maximum}`, field.default === undefined ? '' : `default ${String(field.default)}`].filter((text) => text !== '').join(', ')
    return `<tr><td><code>${escape(name)}</code></td><td>${escape(String(field.type ?? ''))}</td><td>${escape(bounds)}</td><td>${escape(field.description ?? '')}</td></tr>`
  })
  return rows.length === 0 ? '' : `<table>${rows.join('')}</table>`
}

const needs = (operation: Operation): string => {
  const { role, tier } = operation
  return role !== undefined ? ` <em>Needs the role ${role}.</em>` : tier !== undefined ? ` <em>Needs a key of the tier ${tier}.</em>` : needsKey(operation) ? ' <em>Needs a key.</em>' : ''
}

/** The inside of a page about `operations`, lane by lane. */
export const plainReference = (operations: readonly Operation[]): string => {
  const lanes = [...new Set(operations.map(({ lane }) => lane))]
  const part = (operation: Operation): string =>
    `<h3 id="${operation.name}"><code>${escape(operation.route)}</code></h3><p>${escape(operation.summary)}${needs(operation)}</p>${fieldsOf(operation)}`
  const parts = lanes.map((lane) => `<h2>${lane}</h2>${operations.filter((operation) => operation.lane === lane).map(part).join('')}`)
  return `${opening}${parts.join('')}`
}
