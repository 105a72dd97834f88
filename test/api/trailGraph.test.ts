/** Trails as graphs, and trails that go on where their bounds stopped them. */
import assert from 'node:assert/strict'
import { SaxesParser } from 'saxes'
import { escapeXml } from '../../api/operations/wallets/trail/graphml.js'
import { account, seedBlocks, seedLabel, seedMoves } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

interface Element { readonly name: string; readonly attributes: Readonly<Record<string, string>>; text: string; readonly within: string }
/** Elements of a document that is well-formed, in order; throws where it is not. */
const parse = (xml: string): Element[] => {
  const [found, open]: [Element[], Element[]] = [[], []]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => { throw error })
  parser.on('opentag', ({ name, attributes, uri }) => {
    assert.equal(uri, 'http://graphml.graphdrawing.org/xmlns')
    const element = { name, attributes: Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])), text: '', within: open.at(-1)?.name ?? '' }
    found.push(element)
    open.push(element)
  })
  parser.on('text', (text) => { const top = open.at(-1); if (top !== undefined) top.text += text })
  parser.on('closetag', () => { open.pop() })
  parser.write(xml).close()
  return found
}
const hostile = 'A & <b>"it\'s" ]]> -->\u0001 <script/>'

describe('a trail as a graph', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => { const { body, status, text } = await service.call(`GET /v1/wallets/trail/${account('1')}${path}`); assert.equal(status, 200, text); return body }
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 99)
    await seedLabel(service.store, 'e', hostile, 'exchange')
    const paid = (from: string, to: string, block: number, amount: number) => ({ from, to, block, amount, usd: amount })
    await seedMoves(service.store, [paid('e', '5', 1, 9_000), paid('5', '4', 2, 8_000), paid('4', '3', 3, 7_000), paid('3', '2', 4, 6_000), paid('6', '2', 5, 1_000), paid('2', '1', 6, 6_500), paid('7', '1', 7, 500)])
  })
  after(() => service.stop())

  it('goes on with the hops after those where depth stopped it, as if more had been asked for at once', async () => {
    const strip = (steps: any[]) => steps.map(({ stopped_because: _, ...step }) => step)
    const [whole, first] = [await get('?hops=4'), await get('?hops=2')]
    assert.deepEqual([first.next_cursor, typeof first.deeper_cursor], [null, 'string'])
    const rest = await get(`?hops=2&cursor=${first.deeper_cursor}`)
    assert.deepEqual(strip([...first.trail, ...rest.trail]), strip(whole.trail))
    assert.deepEqual([...first.checks, ...rest.checks], whole.checks)
    const last = await get(`?hops=4&cursor=${rest.deeper_cursor}`)
    assert.deepEqual(last.trail.map((step: any) => [step.hop, step.from_address, step.stopped_because, step.haircut]), [[5, account('e'), 'service', whole.trail.at(-1).haircut]])
    assert.equal(last.deeper_cursor, null)
    assert.equal((await service.call(`GET /v1/wallets/trail/${account('2')}?cursor=${first.deeper_cursor}`)).status, 400)
    // Branches and depth together: the first branch alone, then the second, each as deep as one likes.
    const narrow = await get('?hops=1&limit=1')
    const deeper = await get(`?hops=1&limit=1&cursor=${narrow.deeper_cursor}`), beside = await get(`?hops=1&limit=1&cursor=${narrow.next_cursor}`)
    assert.deepEqual([deeper.trail[0].hop, deeper.next_cursor, beside.trail[0].from_address], [2, null, account('7')])
  })

  it('has an edge for each step, in the direction of value, between nodes that are there', async () => {
    const [{ trail }, graph] = [await get('?hops=4'), await get('/graph?hops=4')]
    const ids = new Set(graph.nodes.map(({ id }: any) => id))
    assert.ok(graph.edges.every(({ source, target }: any) => ids.has(source) && ids.has(target)) && ids.size === graph.nodes.length)
    assert.deepEqual(graph.edges.map(({ source, target, fifo, lifo, haircut, poison }: any) => [source, target, fifo, lifo, haircut, poison]), trail.map((step: any) => [step.from_address, step.to_address, step.fifo, step.lifo, step.haircut, step.poison]))
    const on = (await service.call(`GET /v1/wallets/trail/${account('5')}/graph?direction=destination&hops=1`)).body
    assert.deepEqual(on.edges.map(({ source, target }: any) => [source, target]), [[account('5'), account('4')]])
    assert.deepEqual(graph.nodes.find(({ hop }: any) => hop === 0).id, account('1'))
  })

  it('is GraphML that parsers take: declared keys, known ends, texts of strangers escaped', async () => {
    const deep = await get('/graph?hops=4')
    const { text, headers } = await service.call(`GET /v1/wallets/trail/${account('5')}/graphml?hops=1`)
    assert.match(headers.get('content-type') ?? '', /^application\/xml/)
    const elements = parse(text)
    const of = (name: string) => elements.filter((one) => one.name === name)
    const declared = new Map(of('key').map(({ attributes }) => [attributes['id'], attributes]))
    for (const { attributes, within, text: value } of of('data')) {
      const key = declared.get(attributes['key'] ?? '')
      assert.equal(key?.['for'], within)
      if (key?.['attr.type'] === 'int') assert.match(value, /^-?\d+$/)
      if (key?.['attr.type'] === 'double') assert.ok(Number.isFinite(Number(value)))
    }
    const nodes = of('node').map(({ attributes }) => attributes['id'])
    assert.equal(new Set(nodes).size, nodes.length)
    assert.ok(of('edge').length > 0 && of('edge').every(({ attributes }) => nodes.includes(attributes['source']) && nodes.includes(attributes['target'])))
    assert.deepEqual([of('graph').length, of('graph')[0]?.attributes['edgedefault']], [1, 'directed'])
    assert.ok(of('data').some(({ attributes, text: value }) => attributes['key'] === 'n_label' && value.includes('<b>"it\'s" ]]> -->') && !value.includes('\u0001')))
    assert.equal(of('script').length, 0)
    const all = parse((await service.call(`GET /v1/wallets/trail/${account('1')}/graphml?hops=4`)).text)
    assert.deepEqual([all.filter(({ name }) => name === 'node').length, all.filter(({ name }) => name === 'edge').length], [deep.nodes.length, deep.edges.length])
  })

  it('goes on as GraphML, too, with its own cursors; the parts together are the whole', async () => {
    const partOf = async (query: string) => {
      const elements = parse((await service.call(`GET /v1/wallets/trail/${account('1')}/graphml?${query}`)).text)
      const said = (name: string): string => elements.find(({ name: element, attributes }) => element === 'data' && attributes['key'] === `g_${name}`)?.text ?? ''
      return { next: said('next_cursor'), deeper: said('deeper_cursor'), edges: elements.filter(({ name }) => name === 'edge').map(({ attributes }) => attributes) }
    }
    const ends = (edges: readonly Readonly<Record<string, string>>[]) => edges.map(({ source, target }) => `${source} ${target}`).sort()
    const whole = await partOf('hops=4')
    const parts = [await partOf('hops=1&limit=1')]
    for (let left = 9; left > 0; left -= 1) { const last = parts.at(-1); if (last === undefined || last.deeper === '' || parts.length > 3) break; parts.push(await partOf(`hops=1&limit=1&cursor=${last.deeper}`)) }
    parts.push(await partOf(`hops=1&limit=1&cursor=${parts[0]?.next ?? ''}`))
    const all = parts.flatMap(({ edges }) => edges)
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
    assert.ok(parts.length === 5 && ends(all).every((one) => ends(whole.edges).includes(one)), JSON.stringify(ends(all)))
    assert.equal((await service.call(`GET /v1/wallets/trail/${account('1')}/graph?hops=1&limit=1&cursor=${parts[0]?.next ?? ''}`)).status, 400)
  })

  it('escapes every character that XML has no place for', () => {
    const odd = Array.from({ length: 0x300 }, (_, code) => String.fromCodePoint(code)).join('') + '\ud800\ufffe\uffff\u{1f600}'
    const [, one] = parse(`<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><a b="${escapeXml(odd)}">${escapeXml(odd)}</a></graphml>`)
    assert.ok(one?.text.includes('\u{1f600}') && one.text.includes('<&'.slice(0, 1)) && !/[\u0000\ufffe\uffff\ud800-\udbff](?![\udc00-\udfff])/.test(one.text))
  })
})
