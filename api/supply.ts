/** What the service has data about, for every text that says so: from the chain table and the readings, so that the texts change with them. */
import { chains, type Chain } from '../schemas/chains.js'
import type { Operation } from './operation.js'
import { hasReading, records, type RecordName } from './readings.js'

export interface Supply {
  /** Ids of chains and venues whose data are indexed here. */
  readonly indexed: readonly string[]
  /** Ids of those that are known and have no data yet. */
  readonly awaited: readonly string[]
  /** What is indexed, in words: 'Ethereum', 'Ethereum and Bitcoin'. */
  readonly about: string
  /** What there is to ask about: 'blocks, transfers, …'. */
  readonly subjects: string
  /** One sentence about what has no data yet; '' where everything has. */
  readonly gap: string
}

const perpsRecords = (Object.keys(records) as RecordName[]).filter((name) => name.startsWith('hl_'))
const listed = (words: readonly string[]): string => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`)
const nameOf = ({ name, status }: Chain): string => (status === 'perps-only' ? `the ${name} perps venue` : name)

/** Made of a chain table and of which records are read from a store. Chains that are only recognised are not spoken of. */
export const supplyOf = (table: readonly Chain[], has: (record: RecordName) => boolean): Supply => {
  const perps = perpsRecords.some(has)
  const known = table.filter(({ status }) => status === 'live' || status === 'pending' || status === 'perps-only')
  const [indexed, awaited] = [true, false].map((wanted) => known.filter(({ status }) => (status === 'live' || (status === 'perps-only' && perps)) === wanted)) as [Chain[], Chain[]]
  const screened = has('designations')
  const missing = [...awaited.map(nameOf), ...(screened ? [] : ['sanctions registers'])]
  return {
    indexed: indexed.map(({ id }) => id), awaited: awaited.map(({ id }) => id), about: indexed.length === 0 ? 'no chain yet' : listed(indexed.map(nameOf)),
    subjects: ['blocks', 'transfers', 'whales', 'swaps', 'wallets', 'labels', ...(screened ? ['sanctions'] : []), ...(perps ? ['perps'] : [])].join(', '),
    gap: missing.length === 0 ? '' : `No data yet: ${listed(missing)}. Questions about these are answered with data_gap or UNKNOWN, which is no evidence.`,
  }
}

export const supply = supplyOf(chains, hasReading)

/** Whether every answer of `operation` is a data_gap for now: nothing fills what it reads. */
export const isWaiting = ({ record }: Pick<Operation, 'record'>): boolean => record !== undefined && !hasReading(record)
