/** Parts of the document, each from the rows of evidence of its kind. */
import { heading, paragraph, table, type Column, type Doc } from './sheet.js'
import { count, numberIn, short, someByCluster, textIn, textsIn, usd, withCluster, type View } from './view.js'

interface Section { readonly kind: string; readonly title: string; readonly columns: readonly Column[]; readonly row: (data: View['evidence'][number]['data'], source: string) => readonly string[]; readonly note?: string }

const id: Column = { title: '#', width: 27 }
/** A share above nothing is not told as nothing. */
export const percent = (share: number | null): string => (share === null ? 'unknown' : share > 0 && share < 0.0001 ? '< 0.01 %' : `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`)
const ends: Readonly<Record<string, string>> = { '': 'followed on' }

const sections: readonly Section[] = [
  { kind: 'designation', title: 'Designations', columns: [id, { title: 'Register', width: 62 }, { title: 'List id', width: 58 }, { title: 'Name', width: 206 }, { title: 'Authority', width: 90 }, { title: 'Verified', width: 60 }],
    row: (data) => { const more = (data['metadata'] ?? {}) as Record<string, unknown>; return [textIn(data, 'source'), textIn(data, 'list_id'), textIn(data, 'entity_name'), textIn(more, 'designating_authority'), textIn(data, 'last_verified_at').slice(0, 10)] } },
  { kind: 'label', title: 'Labels', columns: [id, { title: 'Label', width: 130 }, { title: 'Class', width: 80 }, { title: 'Source', width: 82 }, { title: 'Confidence', width: 60, align: 'right' }, { title: 'Official', width: 44 }, { title: 'Valid from', width: 80 }],
    row: (data, source) => [textIn(data, 'label') || textIn(data, 'entity'), textIn(data, 'classification'), source, textIn(data, 'confidence'), data['official'] === true ? 'yes' : '', textIn(data, 'valid_from').slice(0, 10)] },
  { kind: 'cluster', title: 'Its own cluster', columns: [id, { title: 'Cluster', width: 152, font: 'mono', size: 5.9 }, { title: 'Addresses', width: 48, align: 'right' }, { title: 'Goes by', width: 110 }, { title: 'Class', width: 66 }, { title: 'Confidence', width: 54, align: 'right' }, { title: 'As of block', width: 46, align: 'right' }],
    row: (data) => {
      const owner = (data['owner'] ?? {}) as Record<string, unknown>
      return [textIn(data, 'cluster') || 'in none', count(numberIn(data, 'size')), textIn(owner, 'entity') || 'no name', textIn(owner, 'classification'), textIn(owner, 'confidence'), count(numberIn(data, 'as_of_height'))]
    }, note: 'Addresses whose inputs were spent together, which mostly shows one owner and does not prove it; named by labels of some of them. All of it as known at that block. Its other addresses are no counterparties of the subject by it.' },
  { kind: 'exposure', title: 'Exposure within two hops', columns: [id, { title: 'Direction', width: 58 }, { title: 'Kind', width: 42 }, { title: 'Class', width: 86 }, { title: 'Entities', width: 120 }, { title: 'Share', width: 50, align: 'right' }, { title: 'Haircut', width: 60, align: 'right' }, { title: 'At most', width: 60, align: 'right' }],
    row: (data) => [textIn(data, 'direction'), textIn(data, 'kind'), textIn(data, 'classification'), someByCluster(data, textsIn(data, 'entities').join(', ')), percent(numberIn(data, 'share')), usd(numberIn(data, 'haircut_usd')), usd(numberIn(data, 'poison_usd'))] },
  { kind: 'direct_exposure', title: 'Direct counterparties by class', columns: [id, { title: 'Class', width: 86 }, { title: 'Counterparties', width: 120, align: 'right' }, { title: 'Transfers in / out', width: 90, align: 'right' }, { title: 'In', width: 65, align: 'right' }, { title: 'Out', width: 65, align: 'right' }, { title: 'Unpriced', width: 50, align: 'right' }],
    row: (data) => [textIn(data, 'classification'), someByCluster(data, count(numberIn(data, 'counterparties'))), `${count(numberIn(data, 'transfers_in'))} / ${count(numberIn(data, 'transfers_out'))}`, usd(numberIn(data, 'usd_in')), usd(numberIn(data, 'usd_out')), count(numberIn(data, 'unpriced'))] },
  { kind: 'counterparty', title: 'Largest counterparties', columns: [id, { title: 'Address', width: 166, font: 'mono', size: 6.1 }, { title: 'Label', width: 120 }, { title: 'Class', width: 70 }, { title: 'In', width: 60, align: 'right' }, { title: 'Out', width: 60, align: 'right' }],
    row: (data) => [textIn(data, 'address'), withCluster(data, textIn(data, 'entity') || textIn(data, 'label')), textIn(data, 'classification'), usd(numberIn(data, 'usd_in')), usd(numberIn(data, 'usd_out'))] },
  { kind: 'intent', title: 'What its transactions were for', columns: [id, { title: 'Intent', width: 176 }, { title: 'Transactions', width: 80, align: 'right' }, { title: 'Value', width: 80, align: 'right' }, { title: 'First', width: 70 }, { title: 'Last', width: 70 }],
    row: (data) => [textIn(data, 'intent'), count(numberIn(data, 'transactions')), usd(numberIn(data, 'value_usd')), textIn(data, 'first_seen').slice(0, 10), textIn(data, 'last_seen').slice(0, 10)] },
  { kind: 'flow', title: 'Trail of funds', columns: [id, { title: 'Way', width: 34 }, { title: 'From', width: 160, font: 'mono', size: 5.9 }, { title: 'To', width: 160, font: 'mono', size: 5.9 }, { title: 'Value', width: 52, align: 'right' }, { title: 'Ended', width: 70 }],
    row: (data) => {
      const end = textIn(data, 'stopped_because')
      return [`${textIn(data, 'direction') === 'source' ? 'in' : 'out'} ${textIn(data, 'hop')}${data['after_swap'] === true ? ' swap' : ''}`, textIn(data, 'from_address'), `${textIn(data, 'to_address')} tx ${short(textIn(data, 'tx_hash'))}`, usd(numberIn(data, 'value_usd')), [ends[end] ?? end, withCluster(data, textIn(data, 'entity') || textIn(data, 'classification'))].filter((one) => one !== '').join(': ')]
    }, note: 'Way: in or out, and how many hops away; swap: what was given for what the hop before found, in a swap, so whoever swapped, often the subject itself, stands here again.' },
]

/** Every kind of evidence the report has, as a table of its own. */
export const drawEvidence = (doc: Doc, { evidence, evidence_left_out: left }: View): void => {
  for (const { kind, title, columns, row, note } of sections) {
    const rows = evidence.filter((one) => one.kind === kind)
    if (rows.length === 0) continue
    heading(doc, title)
    table(doc, columns, rows.map(({ id: number, data, source }) => [number, ...row(data, source)]))
    if (note !== undefined) paragraph(doc, note, { size: 6 })
    const more = left[kind] ?? 0
    if (more > 0) paragraph(doc, `${count(more)} more were found and are not part of this report.`, { size: 7 })
  }
  const strange = evidence.filter((one) => !sections.some(({ kind }) => kind === one.kind))
  if (strange.length === 0) return
  heading(doc, 'Other evidence')
  table(doc, [id, { title: 'Kind', width: 90 }, { title: 'Source', width: 90 }, { title: 'Row', width: 296, font: 'mono', size: 6 }], strange.map((one) => [one.id, one.kind, one.source, JSON.stringify(one.data)]))
}
