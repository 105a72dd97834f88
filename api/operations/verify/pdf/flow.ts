/** The picture of flows: whom value came from on the left, the subject in the middle, whom it went to on the right, two hops each way. */
import { ink, page, printable, room, type Doc } from './sheet.js'
import { clusterNote, numberIn, short, textIn, usd, type Evidence } from './view.js'

interface Party { readonly address: string; readonly name: string; readonly classification: string; usd: number | null; readonly toward: string | null }
interface Side { readonly near: Party[]; readonly far: Party[]; readonly more: number }

const most = 6
const box = { width: 77, height: 33, gap: 8 } as const
const colours: readonly (readonly [RegExp, string])[] = [[/sanction|illicit|hack|ransom|scam|extremism|blacklist/, ink.red], [/mixer|coinjoin/, ink.purple], [/exchange|service|bridge|payment/, ink.blue], [/defi|dex|contract|pool|router|token/, ink.green], [/gambling|market/, ink.amber]]
const colourOf = (classification: string): string => colours.find(([pattern]) => pattern.test(classification))?.[1] ?? ink.soft

const larger = (a: Party, b: Party): number => (b.usd ?? -1) - (a.usd ?? -1) || (a.address < b.address ? -1 : 1)
const added = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b)

/** Class of the far end of a row; said where a cluster alone tells it. */
const classOf = (data: Evidence['data']): string => [textIn(data, 'entity') === '' && clusterNote(data) !== '' ? 'own cluster' : textIn(data, 'classification'), ...textIn(data, 'entity') !== '' && clusterNote(data) !== '' ? ['by cluster'] : []].join(', ')

/** Parties of one hop, those with one address and direction together. */
const partiesOf = (rows: readonly Evidence[], source: boolean): Party[] => {
  const parties = new Map<string, Party>()
  for (const { data } of rows) {
    const [far, near] = source ? ['from_address', 'to_address'] : ['to_address', 'from_address']
    const address = textIn(data, far ?? '')
    const key = `${address} ${textIn(data, near ?? '')}`
    const known = parties.get(key)
    if (known !== undefined) known.usd = added(known.usd, numberIn(data, 'value_usd'))
    else parties.set(key, { address, name: textIn(data, 'entity') || textIn(data, 'label') || (/^0x0{40}$/.test(address) ? 'nobody: zero' : short(address)), classification: classOf(data), usd: numberIn(data, 'value_usd'), toward: textIn(data, near ?? '') })
  }
  return [...parties.values()].sort(larger)
}

const sideOf = (evidence: readonly Evidence[], direction: string): Side => {
  const rows = evidence.filter(({ kind, data }) => kind === 'flow' && textIn(data, 'direction') === direction)
  const hop = (at: number): Party[] => partiesOf(rows.filter(({ data }) => numberIn(data, 'hop') === at), direction === 'source')
  const [first, second] = [hop(1), hop(2)]
  const near = first.slice(0, most)
  const far = second.filter(({ toward }) => near.some(({ address }) => address === toward)).slice(0, most)
  return { near, far, more: first.length - near.length + second.length - far.length }
}

const heightOf = (parties: number): number => parties * (box.height + box.gap) - box.gap
const placesOf = (parties: readonly Party[], top: number, height: number): number[] => parties.map((_, at) => top + (height - heightOf(parties.length)) / 2 + at * (box.height + box.gap))

const draw = (doc: Doc, party: Pick<Party, 'name' | 'classification'> & { readonly usd?: number | null }, x: number, y: number, strong = false): void => {
  const colour = strong ? ink.band : colourOf(party.classification)
  doc.roundedRect(x, y, box.width, box.height, 4).lineWidth(strong ? 1.6 : 0.9).fillAndStroke(strong ? '#e6eef5' : ink.white, colour)
  doc.font('bold').fontSize(6.2)
  const name = [...party.name].length > 18 ? `${printable(doc, party.name, 16)}…` : printable(doc, party.name, 18)
  doc.fillColor(ink.text).text(name, x + 3, y + 5, { width: box.width - 6, align: 'center', height: 8, ellipsis: true, lineBreak: false })
  doc.font('plain').fontSize(5.8)
  doc.fillColor(colour).text(printable(doc, party.classification === '' ? 'unknown' : party.classification, 24), x + 3, y + 13.6, { width: box.width - 6, align: 'center', lineBreak: false })
  if (party.usd !== undefined) doc.fillColor(ink.soft).text(usd(party.usd), x + 3, y + 22.4, { width: box.width - 6, align: 'center', lineBreak: false })
}

const edge = (doc: Doc, from: readonly [number, number], to: readonly [number, number], value: number | null): void => {
  const bend = (to[0] - from[0]) / 2
  doc.moveTo(...from).bezierCurveTo(from[0] + bend, from[1], to[0] - bend, to[1], ...to).lineWidth(value === null || value <= 0 ? 0.5 : Math.min(3.4, 0.5 + Math.log10(1 + value) / 2.6)).strokeColor('#9fb3c5').stroke()
  doc.polygon([to[0], to[1]], [to[0] - 4.5, to[1] - 2.6], [to[0] - 4.5, to[1] + 2.6]).fill('#6f8aa1')
}

/** Draws it; false: the report has no flows. */
export const drawFlows = (doc: Doc, evidence: readonly Evidence[], subject: string): boolean => {
  const [into, out] = [sideOf(evidence, 'source'), sideOf(evidence, 'destination')]
  const tallest = Math.max(...[into, out].flatMap(({ near, far }) => [near.length, far.length]))
  if (tallest === 0) return false
  const height = Math.max(heightOf(tallest), 60)
  room(doc, height + 34)
  const top = doc.y + 12
  const step = (page.width - box.width) / 4
  const xs = [0, 1, 2, 3, 4].map((at) => page.left + at * step) as [number, number, number, number, number]
  const titles = ['two hops back', 'came from', 'subject', 'went to', 'two hops on']
  for (const [at, title] of titles.entries()) doc.font('plain').fontSize(6).fillColor(ink.soft).text(title, xs[at] ?? 0, top - 11, { width: box.width, align: 'center', lineBreak: false })
  const middle = top + height / 2
  const [nearIn, farIn, nearOut, farOut] = [into.near, into.far, out.near, out.far].map((parties) => placesOf(parties, top, height)) as [number[], number[], number[], number[]]
  const half = box.height / 2
  const spread = (at: number, of: number): number => middle + (of <= 1 ? 0 : (at / (of - 1) - 0.5) * (half * 1.5))
  for (const [at, party] of into.near.entries()) edge(doc, [xs[1] + box.width, (nearIn[at] ?? 0) + half], [xs[2], spread(at, into.near.length)], party.usd)
  for (const [at, party] of out.near.entries()) edge(doc, [xs[2] + box.width, spread(at, out.near.length)], [xs[3], (nearOut[at] ?? 0) + half], party.usd)
  const joined = (side: Side, near: readonly number[], party: Party): number => (near[side.near.findIndex(({ address }) => address === party.toward)] ?? 0) + half
  for (const [at, party] of into.far.entries()) edge(doc, [xs[0] + box.width, (farIn[at] ?? 0) + half], [xs[1], joined(into, nearIn, party)], party.usd)
  for (const [at, party] of out.far.entries()) edge(doc, [xs[3] + box.width, joined(out, nearOut, party)], [xs[4], (farOut[at] ?? 0) + half], party.usd)
  draw(doc, { name: short(subject), classification: 'subject' }, xs[2], middle - half, true)
  for (const [parties, places, x] of [[into.near, nearIn, xs[1]], [into.far, farIn, xs[0]], [out.near, nearOut, xs[3]], [out.far, farOut, xs[4]]] as const) for (const [at, party] of parties.entries()) draw(doc, party, x, places[at] ?? 0)
  doc.y = top + height + 8
  const more = into.more + out.more
  doc.font('plain').fontSize(6).fillColor(ink.soft).text(`Boxes: whom, their class, dollars that moved to the next box (– : no price). Width of a line: those dollars, by powers of ten.${[into, out].some(({ near, far }) => [...near, ...far].some(({ classification }) => classification.endsWith('cluster'))) ? ' Clusters: as known now.' : ''}${more > 0 ? ` ${more} more parties are in the evidence.` : ''}`, page.left, doc.y, { width: page.width })
  return true
}
