/** Bundled lists, what they must hold, and lists made for tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { root } from '../../../support/run.js'

/** A fixture of test/fixtures/sanctions. */
export const fixture = <Value>(name: string): Value => JSON.parse(gunzipSync(readFileSync(join(root, 'test/fixtures/sanctions', `${name}.json.gz`))).toString('utf8')) as Value

/** `text` in parts of `size` bytes, so that letters and tags are cut anywhere. */
export const inParts = async function* (text: string | Buffer, size = 997): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string)
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

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
