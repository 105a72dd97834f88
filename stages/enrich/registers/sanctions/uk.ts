/** The UK Sanctions List of the FCDO (the only official one since OFSI's consolidated list ended). Wallets stand in free text. */
import { AppError } from '../../../../schemas/errors.js'
import { addressesIn } from './addressesIn.js'
import { dayOf, type Listing, type ReadList, type SanctionsList } from './list.js'
import { readXml } from './xml.js'

const one = 'Designations/Designation'
/** DD/MM/YYYY. */
const ukDay = (text: string): string | null => { const [, day, month, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []; return day === undefined ? null : dayOf(year ?? '', month ?? '', day) }

/** Reads the list as it comes. Throws LIST_UNREADABLE. */
export const readUk = async (bytes: AsyncIterable<Buffer>): Promise<ReadList> => {
  const listings: Listing[] = []
  const withWallets = new Set<string>()
  let published: string | null = null
  let designations = 0
  let fields: Record<string, string> = {}
  let [parts, name] = [{} as Record<string, string>, '']
  await readXml(bytes, {
    open: (path) => {
      if (!path.includes('/') && path !== 'Designations') throw new AppError('LIST_UNREADABLE', 'This is not the UK Sanctions List', { retry: 'never' })
      if (path === one) { fields = {}; name = ''; designations += 1 }
      if (path === `${one}/Names/Name`) parts = {}
    },
    close: (path, text) => {
      if (path === 'Designations/DateGenerated') published = ukDay(text.slice(0, 10))
      else if (path.startsWith(`${one}/Names/Name/`)) parts[path.slice(one.length + 12)] = text
      else if (path === `${one}/Names/Name`) { if (name === '' || /^primary name$/i.test((parts['NameType'] ?? '').trim())) name = ['Name1', 'Name2', 'Name3', 'Name4', 'Name5', 'Name6'].map((part) => parts[part] ?? '').filter((part) => part !== '').join(' ') }
      else if (path === one) {
        const listId = fields['UniqueID'] ?? ''
        for (const { ticker, address } of addressesIn(`${fields['OtherInformation'] ?? ''}\n${fields['UKStatementofReasons'] ?? ''}`)) {
          withWallets.add(listId)
          listings.push({ listId, ticker, address, entityName: name, programme: fields['RegimeName'] ?? '', listedOn: ukDay(fields['DateDesignated'] ?? ''), endsOn: null })
        }
      } else if (path.startsWith(`${one}/`) && !path.includes('/', one.length + 1)) fields[path.slice(one.length + 1)] = text
    },
  })
  if (designations === 0) throw new AppError('LIST_UNREADABLE', 'The UK Sanctions List has no designation', { retry: 'never' })
  return { publishedAt: published, entries: withWallets.size, listings }
}

const url = 'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.xml'

export const uk: SanctionsList = {
  register: 'UK_HMT', name: 'UK Sanctions List', authority: 'UK Foreign, Commonwealth and Development Office',
  canaries: ['0x175d44451403Edf28469dF03A9280c1197ADb92c', '3Lpoy53K625zVeE47ZasiG5jGkAxJ27kh1'],
  official: { url, aggregator: 'UK-Sanctions-List.xml', bytes: 300_000_000, milliseconds: 300_000, open: async (outbound) => Promise.resolve({ source: url, bytes: outbound.stream(url) }), read: readUk },
  bundled: { file: 'uk_sanctions_list_2026-08-22.xml.gz', aggregator: 'UK Sanctions List', publishedAt: '2026-08-22', read: readUk, anew: true },
}
