/** Other indexers beside which the backfill is measured: what each is, how it is set, how it is started. */
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** What a peer is told; `port` is free on loopback, `home` a folder of its own. */
export interface Order { readonly rpc: string; readonly database: string; readonly from: number; readonly to: number; readonly port: number; readonly home: string }
export interface Peer {
  readonly name: string
  /** Its folder under bench/peers, with its own pinned dependencies. */
  readonly folder: string
  /** Versions and settings, in words. */
  readonly settings: string
  /** The tables it writes of those that are counted. */
  readonly tables: readonly CountedTable[]
  /** No more blocks than this, where it is much slower. */
  readonly most: number
  readonly arguments: (order: Order) => readonly string[]
  readonly environment: (order: Order) => Record<string, string>
}

/** The tables that are counted, on both sides; transfers are those of ERC-20 tokens. */
export const countedTables = ['blocks', 'transactions', 'logs', 'transfers'] as const
export type CountedTable = (typeof countedTables)[number]

export const folderOf = (folder: string): string => fileURLToPath(new URL(`../../../bench/peers/${folder}/`, import.meta.url))

const range = ({ rpc, database, from, to }: Order): Record<string, string> => ({ RPC_URL: rpc, DB_URL: database, FROM_BLOCK: String(from), TO_BLOCK: String(to) })
// Their folder has no loader of TypeScript; ours is given by its path.
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

const sqd = (name: string, writer: 'columns' | 'typeorm', most: number, words: string): Peer => ({
  name, folder: 'sqd', tables: countedTables, most,
  settings: `@subsquid/evm-processor 1.27.3, RPC only (no gateway), 16 requests at once, batches of up to 100 calls, receipts by eth_getBlockReceipts, finality 64; ${words}`,
  arguments: () => ['--import', tsx, 'src/main.ts'],
  environment: (order) => ({ ...range(order), WRITER: writer, SQD_LOG_LEVEL: 'warn', NODE_ENV: 'production' }),
})

export const peers: readonly Peer[] = [
  sqd('SQD, columns', 'columns', Number.POSITIVE_INFINITY, 'written by its fastest way: one INSERT … SELECT FROM unnest for each table and batch, pg 8.16.3'),
  sqd('SQD, TypeORM', 'typeorm', 1_024, 'written by its stock store: @subsquid/typeorm-store 1.5.1 (typeorm-config 4.1.1, typeorm 0.3.20), store.insert, no hot blocks'),
  {
    name: 'Ponder', folder: 'ponder', tables: ['blocks', 'transfers'], most: 512,
    settings: 'ponder 0.16.10 (viem 2.57.0), `ponder start`, Postgres, cold RPC cache, its own limiter of requests; one block event and one Transfer event a row. It has no way to index every transaction and every log, so it writes blocks and transfers only, and keeps what it fetched in tables of its own, which are not counted',
    arguments: ({ port }) => ['node_modules/ponder/dist/esm/bin/ponder.js', 'start', '--schema', 'public', '--hostname', '127.0.0.1', '--port', String(port), '--log-format', 'json', '--log-level', 'warn'],
    environment: (order) => ({ ...range(order), PONDER_TELEMETRY_DISABLED: 'true', DO_NOT_TRACK: '1', NODE_ENV: 'production' }),
  },
]
