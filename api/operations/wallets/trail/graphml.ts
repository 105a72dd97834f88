/** A graph as GraphML (graphml.graphdrawing.org): every text escaped, numbers that have no exact type as text, unknown left out. */
import type { Graph } from './graph.js'

/** XML 1.0 has no place for other control characters, lone surrogates and noncharacters, not even as references. */
const unsayable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu
const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&apos;' }
/** `text` as content or value of an attribute. */
export const escapeXml = (text: string): string => text.replace(unsayable, '').replace(/[&<>"']/g, (one) => names[one] ?? '')

const nodeKeys = { label: 'string', entity: 'string', classification: 'string', cluster: 'string', hop: 'int', stopped_because: 'string' } as const
const edgeKeys = {
  hop: 'int', token: 'string', transfers: 'int', amount: 'string', value_usd: 'double', tx_hash: 'string', first_seen: 'string', last_seen: 'string', root_token: 'string', fifo: 'string', lifo: 'string', haircut: 'string', poison: 'string',
  fifo_share: 'double', lifo_share: 'double', haircut_share: 'double', poison_share: 'double', gap: 'string', through_swap: 'string', stopped_because: 'string',
} as const

const keysOf = (on: 'node' | 'edge', keys: Readonly<Record<string, string>>): string[] => Object.entries(keys).map(([name, type]) => `  <key id="${on[0]}_${name}" for="${on}" attr.name="${name}" attr.type="${type}"/>`)
const dataOf = (on: 'n' | 'e', keys: Readonly<Record<string, string>>, row: Readonly<Record<string, unknown>>): string => Object.keys(keys).flatMap((name) => {
  const value = row[name]
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return []
  return [`<data key="${on}_${name}">${escapeXml(Array.isArray(value) ? value.join(' ') : String(value))}</data>`]
}).join('')

/** The document. `about` is said of the whole graph, by name. */
export const graphmlOf = ({ nodes, edges }: Graph, about: Readonly<Record<string, string>>): string => [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">',
  ...Object.keys(about).map((name) => `  <key id="g_${name}" for="graph" attr.name="${name}" attr.type="string"/>`), ...keysOf('node', nodeKeys), ...keysOf('edge', edgeKeys),
  '  <graph id="trail" edgedefault="directed">',
  ...Object.entries(about).map(([name, text]) => `    <data key="g_${name}">${escapeXml(text)}</data>`),
  ...nodes.map((node) => `    <node id="${escapeXml(node.id)}">${dataOf('n', nodeKeys, node)}</node>`),
  ...edges.map((edge) => `    <edge id="${edge.id}" source="${escapeXml(edge.source)}" target="${escapeXml(edge.target)}">${dataOf('e', edgeKeys, edge)}</edge>`),
  '  </graph>', '</graphml>', '',
].join('\n')
