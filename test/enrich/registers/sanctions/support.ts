/** Bundled lists, what they must hold, and lists made for tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { AppError } from '../../../../schemas/errors.js'
import type { Outbound } from '../../../../schemas/outbound.js'
import { root } from '../../../support/run.js'

/** A fixture of test/fixtures/sanctions. */
export const fixture = <Value>(name: string): Value => JSON.parse(gunzipSync(readFileSync(join(root, 'test/fixtures/sanctions', `${name}.json.gz`))).toString('utf8')) as Value

/** `text` in parts of `size` bytes, so that letters and tags are cut anywhere. */
export const inParts = async function* (text: string | Buffer, size = 997): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string)
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

/** An official address that answers `text`, or what a function throws. */
export const serving = (text: string | (() => never)) => ({ open: (): Outbound => ({ get: () => Promise.reject(new AppError('FETCH_FAILED', 'not asked')), stream: () => (typeof text === 'string' ? inParts(text, 65_536) : text()), close: () => Promise.resolve() }) })

export const collected = async (bytes: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}

export interface Party { readonly id: string; readonly name: string; readonly addresses: readonly (readonly [ticker: string, address: string])[] }

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const date = (day: string): string => { const [year = '', month = '', on = ''] = day.split('-'); return `<Year>${year}</Year><Month>${Number(month)}</Month><Day>${Number(on)}</Day>` }

/** An advanced XML of OFAC with these parties, of `day` (YYYY-MM-DD). */
export const ofacXml = (day: string, parties: readonly Party[]): string => {
  const tickers = [...new Set(parties.flatMap(({ addresses }) => addresses.map(([ticker]) => ticker)))]
  return `<?xml version="1.0"?><Sanctions xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ADVANCED_XML"><DateOfIssue CalendarTypeID="1">${date(day)}</DateOfIssue>
<ReferenceValueSets><FeatureTypeValues>${tickers.map((ticker, at) => `<FeatureType ID="${at + 900}">Digital Currency Address - ${ticker}</FeatureType>`).join('')}</FeatureTypeValues><SanctionsTypeValues><SanctionsType ID="1">Program</SanctionsType></SanctionsTypeValues></ReferenceValueSets>
<DistinctParties>${parties.map(({ id, name, addresses }) => `<DistinctParty FixedRef="${id}"><Profile ID="${id}" PartySubTypeID="4"><Identity ID="1"><Alias Primary="true"><DocumentedName ID="1"><DocumentedNamePart><NamePartValue>${escaped(name)}</NamePartValue></DocumentedNamePart></DocumentedName></Alias></Identity>
${addresses.map(([ticker, address]) => `<Feature ID="1" FeatureTypeID="${tickers.indexOf(ticker) + 900}"><FeatureVersion ID="1"><VersionDetail DetailTypeID="1432">${escaped(address)}</VersionDetail></FeatureVersion></Feature>`).join('')}</Profile></DistinctParty>`).join('\n')}</DistinctParties>
<SanctionsEntries>${parties.map(({ id }) => `<SanctionsEntry ID="${id}" ProfileID="${id}"><EntryEvent ID="1"><Date>${date('2020-02-03')}</Date></EntryEvent><SanctionsMeasure SanctionsTypeID="1"><Comment>CYBER2</Comment></SanctionsMeasure></SanctionsEntry>`).join('')}</SanctionsEntries></Sanctions>`
}

/** A table of that page. */
const table = (rows: readonly (readonly string[])[]): string => `<table class="ms-rteTable-4"><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td colspan="1">${cell}\u200b</td>`).join('')}</tr>`).join('')}</tbody></table>`
/** A page of the NBCTF: order 90/26 with its wallets, 44/21 whose wallets are transcribed, 91/26 whose wallets stand in a PDF. */
export const ilHtml = `<html><body>${table([['סוג', 'תאריך עדכון', 'תוקף הצו'], ['צ.ת 90/26 של שר הביטחון', '02.07.2026', '02.07.2028'], ['צ.ת 44/21', '01.07.2021', 'צו חילוט'], ['צ.ת 91/26', '03.07.2026', '']])}${table([
  ['שם מלא', 'תעודת זהות', 'דרכון', 'תאריך לידה', 'מספר זיהוי הארנק האלקטרוני/ יוזר', 'מטבע'], ['צ.ת 90/26'], ['A &amp; B', '', '', '', 'TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnJ', 'USDT'], ['', '', '', '', '735202123', ''], ['', '', '', '', 'TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnX', '']])}</body></html>`
