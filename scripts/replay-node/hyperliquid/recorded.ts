/** What the venue answered when it was recorded. Its clock stands still there: who asks for later times gets what there was last. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const folder = new URL('../../../test/fixtures/hyperliquid/info/', import.meta.url)
type Question = Readonly<Record<string, unknown>>
interface Recording { readonly request: Question; readonly recorded: string; readonly response: unknown }

let recordings: readonly Recording[] | undefined
export const allRecordings = (): readonly Recording[] => recordings ??= readdirSync(folder).sort().map((file) => JSON.parse(gunzipSync(readFileSync(new URL(file, folder))).toString('utf8')) as Recording)

const lower = (value: unknown): unknown => (typeof value === 'string' && value.startsWith('0x') ? value.toLowerCase() : value)
/** A field of a question; candles are asked for one level down. */
const of = (question: Question, field: string): unknown => lower(question[field] ?? (question['req'] as Question | undefined)?.[field])
/** Whether both ask the same, times aside. */
const same = (asked: Question, recorded: Question): boolean => ['type', 'coin', 'user'].every((field) => of(recorded, field) === undefined || of(recorded, field) === of(asked, field))

/** Accounts of which fills or positions were recorded. */
export const recordedAccounts = (): string[] => [...new Set(allRecordings().filter(({ request }) => request['type'] === 'userFills' || request['type'] === 'clearinghouseState').map(({ request }) => String(request['user'])))]

/** Coins that were asked about by name. */
export const recordedCoins = (): string[] => [...new Set(allRecordings().map(({ request }) => of(request, 'coin')).filter((coin) => typeof coin === 'string'))]

/** The answer to a question: recorded where there is one, else what the venue says of what it does not have; undefined: a question nobody knows. */
export const answerTo = (asked: Question): unknown => {
  const type = String(asked['type'])
  // Recorded is the venue's own dex alone.
  if (type === 'metaAndAssetCtxs' && typeof asked['dex'] === 'string' && asked['dex'] !== '') return [{ universe: [], marginTables: [], collateralToken: 0 }, []]
  const found = allRecordings().filter(({ request }) => same(asked, request)).sort((left, right) => JSON.stringify(right.response).length - JSON.stringify(left.response).length)[0]
  // Answers of then do not say of when they are; the venue's of today do.
  if (found !== undefined && type === 'clearinghouseState') return { time: Date.parse(found.recorded), ...found.response as object }
  if (found !== undefined) return found.response
  if (type === 'spotMetaAndAssetCtxs') return [{ universe: [], tokens: [] }, []]
  if (type === 'metaAndAssetCtxs') return [answerTo({ type: 'meta' }), []]
  if (type === 'l2Book' || type === 'vaultDetails') return null
  if (type === 'userRole') return { role: allRecordings().some(({ request }) => of(request, 'user') === of(asked, 'user')) ? 'user' : 'missing' }
  return /^(recentTrades|userFills|userFillsByTime|userFunding|userNonFundingLedgerUpdates|fundingHistory|predictedFundings|candleSnapshot|openOrders|frontendOpenOrders|historicalOrders|userTwapSliceFills|userVaultEquities|vaultSummaries|perpDexs)$/.test(type) ? [] : undefined
}
