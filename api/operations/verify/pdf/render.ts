/** A signed report for reading and printing. Its bytes hang on the report and on whether it verifies alone; the signed file itself is attached. */
import { fileOf } from '../../../../schemas/attest/signedReport.js'
import { Json } from '../../../../schemas/attest/canonical.js'
import type { Report } from '../report.js'
import { drawFlows } from './flow.js'
import { drawEvidence } from './sections.js'
import { close, heading, ink, openSheet, page, pairs, paragraph, printable, table, type Doc } from './sheet.js'
import { count, levelsIn, viewOf, type View } from './view.js'

const colourOf = (status: string): string => (({ MATCH: ink.red, NO_MATCH: ink.green, severe: ink.red, high: ink.red, medium: ink.amber, low: ink.green, CONCLUSIVE: ink.green } as Record<string, string>)[status] ?? ink.amber)

const drawTop = (doc: Doc, { report_id: id, generated_at: at, subject }: View, title: string): void => {
  doc.rect(0, 0, 595.28, 78).fill(ink.band)
  doc.font('bold').fontSize(19).fillColor(ink.white).text(title, page.left, 24, { lineBreak: false })
  doc.font('plain').fontSize(8).fillColor('#c9d8e4').text('Hydrophone, signed and verifiable', page.left, 50, { lineBreak: false })
  doc.font('plain').fontSize(7.4)
  doc.text(printable(doc, at, 40), page.right - 250, 30, { width: 250, align: 'right', lineBreak: false })
  doc.text(printable(doc, id === '' ? '' : `Report ${id}`, 60), page.right - 250, 44, { width: 250, align: 'right', lineBreak: false })
  doc.font('plain').fontSize(7.4).fillColor(ink.soft).text(`Subject on ${printable(doc, subject.chain, 20)}`, page.left, 92, { lineBreak: false })
  doc.font('mono').fontSize(subject.address.length > 48 ? 8.5 : 12).fillColor(ink.text).text(printable(doc, subject.address, 130), page.left, 104, { width: page.width })
  doc.y = Math.max(doc.y, 118) + 6
}

/** Whether each part has a score; older reports do not list all that have none. */
const isWhole = ({ conclusion, findings }: View): boolean => conclusion?.unknown.length === 0 && Object.values(findings).every(({ score }) => score !== null)

/** What the card of a risk says: of one that is not whole what it is at least, where the report has that, under the level that is by the report's own rule. */
const riskOf = ({ conclusion, eval_baseline: baseline }: View): readonly [text: string, level: string, note: string] => {
  const { risk_score: score, risk_level: level, risk_at_least: least } = conclusion ?? { risk_score: null, risk_level: '', risk_at_least: null }
  if (score !== null) return [`${score} / 100`, level, level]
  if (least === null || least === 0) return ['UNKNOWN', level, 'unknown is not low']
  const { severe, high } = levelsIn(baseline?.rules)
  return [`at least ${least}`, (severe !== null && least >= severe) || (high !== null && least >= high) ? 'high' : 'medium', 'of 100; the rest is unknown, not low']
}

const drawCards = (doc: Doc, view: View): void => {
  const { conclusion } = view
  if (conclusion === null) return
  const cards = [
    ['Sanctions', conclusion.sanctions_status.replace('_', ' '), conclusion.sanctions_status, conclusion.match_count === null || conclusion.match_count === 0 ? 'registers below' : `${count(conclusion.match_count)} ${conclusion.match_count === 1 ? 'designation' : 'designations'}`],
    ['Risk', ...riskOf(view)],
    ['Report', conclusion.status, conclusion.status, conclusion.status !== 'CONCLUSIVE' ? 'no clearance: see below' : isWhole(view) ? 'every part was looked into' : 'parts are unknown: see below'],
  ] as const
  const [y, width] = [doc.y, (page.width - 20) / 3]
  for (const [at, [name, value, status, note]] of cards.entries()) {
    const x = page.left + at * (width + 10)
    doc.roundedRect(x, y, width, 52, 5).lineWidth(0.8).fillAndStroke(ink.white, ink.line)
    doc.rect(x, y + 5, 3.4, 42).fill(colourOf(status))
    doc.font('plain').fontSize(7).fillColor(ink.soft).text(name, x + 13, y + 7, { lineBreak: false })
    doc.font('bold').fontSize(14).fillColor(colourOf(status)).text(printable(doc, value, 20), x + 13, y + 17, { lineBreak: false })
    doc.font('plain').fontSize(7).fillColor(ink.soft).text(printable(doc, note, 40), x + 13, y + 37, { lineBreak: false })
  }
  doc.y = y + 60
  for (const reason of conclusion.unknown) paragraph(doc, `•  ${reason}`, { size: 7.4, color: ink.amber })
}

const drawBasis = (doc: Doc, view: View): void => {
  heading(doc, 'Sanctions registers')
  table(doc, [{ title: 'Register', width: 70 }, { title: 'Status', width: 74 }, { title: 'Version', width: 92 }, { title: 'Addresses', width: 52, align: 'right' }, { title: 'Loaded', width: 92 }, { title: 'SHA-256', width: 123, font: 'mono', size: 5.6 }],
    view.lists.map((list) => [list.source, list.status.replaceAll('_', ' '), list.list_version, count(list.addresses), list.loaded_at.slice(0, 19).replace('T', ' '), list.list_sha256]))
  drawEvidence(doc, view)
  heading(doc, 'What it rests on')
  pairs(doc, [
    ...view.heights.flatMap(({ chain, blocks, oldest_block: oldest, missing_blocks: missing, btc_clusters_as_of_height: clusters, begun_at: begun, ended_at: ended }): [string, string][] => [
      [`${chain} index`, `${count(blocks)} blocks from ${count(oldest)} on, ${count(missing)} missing`], ...clusters === undefined ? [] : [[`${chain} clusters`, clusters === null ? 'not looked into' : `as of block ${count(clusters)}: owners by cluster are as known then, not when value moved`] satisfies [string, string]], ...[['begun at', begun], ['ended at', ended]].flatMap(([name, block]): [string, string][] => (block === null || typeof block === 'string' || block === undefined ? [] : [[`${chain} ${String(name)}`, `${String(block.height)}  ${block.block_hash}  ${block.block_time}`]])),
    ]),
    ['git_commit', view.git_commit || 'not known'], ['alembic_head', view.alembic_head], ['Versions', Object.entries(view.versions).map(([name, version]) => `${name} ${version}`).join(', ')],
    ['eval_baseline', view.eval_baseline === null ? '' : `${view.eval_baseline.sha256}  ${JSON.stringify(view.eval_baseline.rules)}`], ['data_provenance', Object.entries(view.data_provenance).map(([name, rows]) => `${name} ${count(rows)}`).join(', ')],
  ])
}

const drawAttestation = (doc: Doc, { content_hash: hash, attestation }: Report, verified: boolean): void => {
  heading(doc, 'Attestation', 150)
  paragraph(doc, verified ? 'The hash, both signatures and the seal of this report were checked when this document was made: they are valid.' : 'THIS REPORT DOES NOT VERIFY: what is kept is not what was signed. Do not rely on it.', { size: 8, font: 'bold', color: verified ? ink.green : ink.red })
  doc.y += 4
  pairs(doc, [
    ['content_hash', hash], ['HMAC-SHA256', attestation.signature], ['Ed25519', attestation.ed25519.signature], ['Seal', attestation.seal], ['Public key', attestation.ed25519.public_key], ['Key id', attestation.key_id], ['Signed at', attestation.signed_at],
  ])
  doc.y += 3
  paragraph(doc, `The signed report is attached to this document as report-${hash.slice(0, 12)}.json. Save it and run: npm run verify-report report-${hash.slice(0, 12)}.json PUBLIC_KEY, which needs no network. The public keys, also retired ones, are at /attestation of the service; the same report is at /v1/verify/ followed by the content hash.`, { size: 7.2, color: ink.soft })
}

/** The document; `verified`: whether the kept report is what was signed. */
export const renderReport = (report: Report, verified: boolean): Promise<Uint8Array> => {
  const { content_hash: hash, canonical, attestation, kind } = report
  const body = (() => { try { return Json.parse(JSON.parse(canonical)) } catch { return null } })()
  const view = viewOf(body ?? {})
  const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} report`
  const at = new Date(attestation.signed_at)
  const doc = openSheet(`${title} ${hash}`, at)
  drawTop(doc, view, title)
  if (!verified) paragraph(doc, 'THIS REPORT DOES NOT VERIFY. Do not rely on it.', { size: 11, font: 'bold', color: ink.red })
  drawCards(doc, view)
  if (view.conclusion === null) {
    heading(doc, 'Content')
    for (const line of (body === null ? canonical : JSON.stringify(body, null, 2)).split('\n')) paragraph(doc, line.replace(/^ +/, (spaces) => '\u00b7 '.repeat(spaces.length / 2)), { size: 6.6, font: 'mono' })
  } else {
    heading(doc, 'Findings')
    table(doc, [{ title: 'Part', width: 74 }, { title: 'Score', width: 46, align: 'right' }, { title: 'Why', width: 283 }, { title: 'Evidence', width: 100 }],
      Object.entries(view.findings).map(([name, { score, reason, evidence }]) => [name, score === null ? 'unknown' : String(score), reason, `${evidence.slice(0, 8).join(', ')}${evidence.length > 8 ? ` and ${evidence.length - 8} more` : ''}`]))
    heading(doc, 'Flow of funds', 100)
    if (!drawFlows(doc, view.evidence, view.subject.address)) paragraph(doc, 'No movement of this address was found in what is indexed.', { color: ink.soft })
    drawBasis(doc, view)
  }
  drawAttestation(doc, report, verified)
  if (view.disclaimer !== '') { doc.y += 6; paragraph(doc, view.disclaimer, { size: 7, color: ink.soft }) }
  if (body !== null) doc.file(Buffer.from(fileOf(report)), { name: `report-${hash.slice(0, 12)}.json`, type: 'application/json', description: 'The signed report', creationDate: at, modifiedDate: at })
  return close(doc, hash)
}
