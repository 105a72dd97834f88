/** Japan: the workbook of asset freezes of the Ministry of Finance. (METI's lists name organisations and no addresses.) */
import { AppError } from '../../../../schemas/errors.js'
import { dayOf, wholeOf, type Listing, type ReadList, type SanctionsList } from './list.js'
import { readWorkbook, type Row } from './workbook.js'

/** Headers: the day of the notice (which the row of headers is known by), its number, names, other information. */
const [day, notice, english, japanese, other] = ['告示日付', '告示番号', '英語表記', '日本語表記', 'その他の情報']
/** What stands before addresses. */
const addressWord = /暗号資産アドレス[：:]/

/** '2022.12.2', or days since the end of 1899 as workbooks have them. */
const jpDay = (text: string): string | null => {
  const [, year, month, date] = /(\d{4})[./年](\d{1,2})[./月](\d{1,2})/.exec(text) ?? []
  if (year !== undefined) return dayOf(year, month ?? '', date ?? '')
  return /^\d{4,5}(\.0)?$/.test(text) ? new Date(Date.UTC(1899, 11, 30) + Number(text) * 86_400_000).toISOString().slice(0, 10) : null
}

/** Addresses in what a row says besides: behind every word for them. What follows them, if anything, begins with letters that are not of an address. */
export const walletsIn = (text: string): readonly string[] => text.split(addressWord).slice(1)
  .flatMap((written) => (/^[\s\x21-\x7e；，、]*/u.exec(written)?.[0] ?? '').split(/[；;，、,\s]+/u).filter((address) => address.length > 13))

const squeezed = (text: string): string => text.replace(/\s+/g, '')

/** Reads the workbook. publishedAt is in the name of the file. Throws LIST_UNREADABLE. */
export const readJp = async (bytes: AsyncIterable<Buffer>): Promise<ReadList> => {
  const listings: Listing[] = []
  let [entries, headed] = [0, 0]
  for (const { name, rows } of await readWorkbook(await wholeOf(bytes))) {
    let columns: Row | null = null
    for (const row of rows) {
      if (Object.values(row).some((cell) => squeezed(cell) === day)) {
        columns = Object.fromEntries(Object.entries(row).map(([column, cell]) => [squeezed(cell), column]))
        headed += 1
        continue
      }
      if (columns === null) continue
      const cell = (header: string): string => row[columns?.[header] ?? ''] ?? ''
      if (!addressWord.test(cell(other))) continue
      entries += 1
      const listedOn = jpDay(cell(day))
      const listId = `${name.split('.')[0] ?? name}/${listedOn ?? cell(day)}/${cell(notice)}`
      for (const address of walletsIn(cell(other))) {
        listings.push({ listId, ticker: '', address, entityName: (cell(english) || cell(japanese)).trim(), programme: name, listedOn, endsOn: null })
      }
    }
  }
  if (headed < 20) throw new AppError('LIST_UNREADABLE', `Only ${headed} sheets of the workbook have a row of headers with ${day}`, { retry: 'never' })
  return { publishedAt: null, entries, listings }
}

const page = 'https://www.mof.go.jp/policy/international_policy/gaitame_kawase/gaitame/economic_sanctions/list.html'

export const jp: SanctionsList = {
  register: 'JP_MOF', name: 'Asset freezes under the Foreign Exchange and Foreign Trade Act', authority: 'Japan Ministry of Finance',
  canaries: ['0x098B716B8Aaf21512996dC57EB0615e2383E2f96'],
  official: {
    url: page, aggregator: 'MOF workbook', bytes: 20_000_000, milliseconds: 120_000,
    open: async (outbound) => {
      const html = (await wholeOf(outbound.stream(page))).toString('utf8')
      const [, link, date = ''] = /href="([^"]*shisantouketsu(\d{8})\.xlsx)"/i.exec(html) ?? []
      if (link === undefined) throw new AppError('LIST_UNREADABLE', 'The page of the Ministry of Finance names no workbook', { retry: 'never' })
      const source = new URL(link, page).href
      const publishedAt = dayOf(date.slice(0, 4), date.slice(4, 6), date.slice(6))
      return { source, bytes: outbound.stream(source), ...(publishedAt === null ? {} : { publishedAt }) }
    },
    read: readJp,
  },
  bundled: { file: 'jp_mof_2026-03-05.xlsx', aggregator: 'MOF workbook', publishedAt: '2026-03-05', read: readJp },
}
