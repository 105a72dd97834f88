/** OFAC's list of Specially Designated Nationals, as SDN_ADVANCED.XML. A ticker is what the list says; it is no chain. */
import { AppError } from '../../../../schemas/errors.js'
import { dayOf, type Listing, type ReadList, type SanctionsList } from './list.js'
import { readXml } from './xml.js'

const partyPath = 'Sanctions/DistinctParties/DistinctParty'
const profilePath = `${partyPath}/Profile`
const aliasPath = `${profilePath}/Identity/Alias`
const featurePath = `${profilePath}/Feature`
const entryPath = 'Sanctions/SanctionsEntries/SanctionsEntry'

interface Party { readonly id: string; readonly name: string; readonly found: readonly { readonly ticker: string; readonly address: string }[] }
interface Entry { date: string | null; programmes: string[] }

/** Reads the list as it comes; only parties with addresses are kept. Throws LIST_UNREADABLE. */
export const readOfac = async (bytes: AsyncIterable<Buffer>): Promise<ReadList> => {
  const tickers = new Map<string, string>()
  const parties: Party[] = []
  const wanted = new Set<string>()
  const entries = new Map<string, Entry>()
  const numbers: Record<string, string> = {}
  const seen = new Set<string>()
  let [profile, primary, documented, names, ticker, entry, type, comment, program] = ['', false, 0, [] as string[], '', '', '', '', '']
  let found: Party['found'][number][] = []
  await readXml(bytes, {
    open: (path, attributes) => {
      if (path === 'Sanctions' && !/ADVANCED_XML$/.test(attributes['xmlns'] ?? '')) throw new AppError('LIST_UNREADABLE', 'This is not the advanced XML of OFAC', { retry: 'never' })
      if (path === 'Sanctions/ReferenceValueSets/FeatureTypeValues/FeatureType') type = attributes['ID'] ?? ''
      else if (path === 'Sanctions/ReferenceValueSets/SanctionsTypeValues/SanctionsType') type = attributes['ID'] ?? ''
      else if (path === profilePath) { profile = attributes['ID'] ?? ''; names = []; documented = 0; found = [] }
      else if (path === aliasPath) primary = attributes['Primary'] === 'true'
      else if (path === `${aliasPath}/DocumentedName`) documented += primary ? 1 : 0
      else if (path === featurePath) ticker = tickers.get(attributes['FeatureTypeID'] ?? '') ?? ''
      else if (path === entryPath) { entry = attributes['ProfileID'] ?? ''; if (wanted.has(entry) && !entries.has(entry)) entries.set(entry, { date: null, programmes: [] }) }
      else if (path === `${entryPath}/SanctionsMeasure`) { type = attributes['SanctionsTypeID'] ?? ''; comment = '' }
    },
    close: (path, text) => {
      if (path === 'Sanctions/ReferenceValueSets/FeatureTypeValues/FeatureType') { const [, of] = /^Digital Currency Address - (.+)$/.exec(text) ?? []; if (of !== undefined) tickers.set(type, of.trim()) }
      else if (path === 'Sanctions/ReferenceValueSets/SanctionsTypeValues/SanctionsType') { if (text === 'Program') program = type }
      else if (path.startsWith('Sanctions/DateOfIssue/')) numbers[path.slice(22)] = text
      else if (path === `${aliasPath}/DocumentedName/DocumentedNamePart/NamePartValue`) { if (primary && documented === 1) names.push(text) }
      else if (path === `${featurePath}/FeatureVersion/VersionDetail`) { if (ticker !== '' && text !== '') found.push({ ticker, address: text }) }
      else if (path === profilePath) { if (found.length > 0) { parties.push({ id: profile, name: names.join(' '), found }); wanted.add(profile) } }
      else if (path === `${entryPath}/EntryEvent/Date/Year` || path === `${entryPath}/EntryEvent/Date/Month` || path === `${entryPath}/EntryEvent/Date/Day`) numbers[path.slice(entryPath.length + 17)] = text
      else if (path === `${entryPath}/EntryEvent/Date`) { const known = entries.get(entry); if (known !== undefined) known.date ??= dayOf(numbers['Year'] ?? '', numbers['Month'] ?? '', numbers['Day'] ?? '') }
      else if (path === `${entryPath}/SanctionsMeasure/Comment`) comment = text
      else if (path === `${entryPath}/SanctionsMeasure`) { if (type === program && comment !== '') entries.get(entry)?.programmes.push(comment) }
      if (path === 'Sanctions/DateOfIssue') numbers['published'] = dayOf(numbers['Year'] ?? '', numbers['Month'] ?? '', numbers['Day'] ?? '') ?? ''
      if (path.split('/').length === 2) seen.add(path.slice(10))
    },
  })
  const missing = ['ReferenceValueSets', 'DistinctParties', 'SanctionsEntries'].filter((part) => !seen.has(part))
  if (missing.length > 0) throw new AppError('LIST_UNREADABLE', `The advanced XML of OFAC lacks ${missing.join(', ')}`, { retry: 'never' })
  const listings = parties.flatMap(({ id, name, found: own }) => own.map((one): Listing => (
    { ...one, listId: id, entityName: name, programme: entries.get(id)?.programmes.join(', ') ?? '', listedOn: entries.get(id)?.date ?? null, endsOn: null })))
  return { publishedAt: numbers['published'] === '' ? null : numbers['published'] ?? null, entries: parties.length, listings }
}

const url = 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN_ADVANCED.XML'

export const ofac: SanctionsList = {
  register: 'OFAC_SDN', name: 'Specially Designated Nationals and Blocked Persons', authority: 'OFAC',
  canaries: ['0x098B716B8Aaf21512996dC57EB0615e2383E2f96', '149w62rY42aZBox8fGcmqNsXUzSStKeq8C', '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h'],
  official: { url, aggregator: 'SDN_ADVANCED.XML', bytes: 400_000_000, milliseconds: 600_000, open: async (outbound) => Promise.resolve({ source: url, bytes: outbound.stream(url) }), read: readOfac },
  bundled: { file: 'ofac_sdn_advanced_2025-11-19.xml.gz', aggregator: 'SDN_ADVANCED.XML', publishedAt: '2025-11-19', read: readOfac },
}
