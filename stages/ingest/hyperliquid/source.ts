/** The venue as the pipeline sees it: segments of what was heard stand for blocks, each on the one below. They are stored before they are planned. */
import { z } from 'zod'
import { openStore, type Store } from '../../../schemas/clickhouse.js'
import type { Config } from '../../../schemas/config.js'
import { AppError, messageOf } from '../../../schemas/errors.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Source } from '../../stage.js'
import { openBell } from '../bell.js'
import { openBuffer } from './buffer.js'
import { dexesOf } from './dexes.js'
import { openFiles } from './files.js'
import { openJournal, type Heard } from './journal.js'
import { openLeaderboard } from './leaderboard.js'
import { listen } from './listener.js'
import { openRest } from './rest.js'
import { openTracked } from './tracked.js'
import { venueTimeOf } from './venueTime.js'

const landedSql = loadSql(import.meta.url, 'landed.sql'), trackedSql = loadSql(import.meta.url, 'tracked.sql'), unaskedSql = loadSql(import.meta.url, 'unasked.sql'), ratedSql = loadSql(import.meta.url, 'rated.sql'), rolesSql = loadSql(import.meta.url, 'roles.sql')
const Named = z.object({ name: z.string() })
const Landed = z.object({ segments: z.coerce.number(), hash: z.string(), payloads: z.coerce.number(), bytes: z.coerce.number(), endpoint: z.string() })
/** Milliseconds between looks into the folder of a node's files. */
const lookMs = 250
/** Of those under suspicion whose money is asked for. */
const suspects = 20
/** Of each list of traders those of whom it is asked whether they are vaults. */
const listed = 500
const chain = 'HL'

/** Where the socket is when nobody says: beside the REST side, under /ws. */
const socketUrlOf = (url: string): string => `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws`

/** Opens the venue; `tell` is told what fails and what is left out. Only who conducts listens: workers without ingest do not. */
export const openHyperliquidSource = (config: Config, tell: (reason: string) => void = () => undefined): Source => {
  let store: Store | undefined
  const stored = (): Store => { store ??= openStore(config.CLICKHOUSE_URL ?? '', config.CLICKHOUSE_DATABASE, { connections: 4 }); return store }
  let started: ReturnType<typeof start> | undefined
  const names = async (sql: typeof trackedSql, params: Readonly<Record<string, unknown>>): Promise<string[]> => (await stored().query(sql, params, Named)).map(({ name }) => name)
  const followed = (): string[] => config.HL_ACCOUNTS.map((one) => one.toLowerCase())
  const announced = openBell()
  let faults: string[] = []
  let told = '', toldAt = -Infinity
  const warn = (reason: string): void => {
    faults = [...faults.slice(-9), reason]
    // What fails again and again is told once a minute.
    if (reason === told && performance.now() - toldAt < 60_000) return
    told = reason
    toldAt = performance.now()
    tell(reason)
  }
  /** The newest time the venue named, Unix milliseconds. */
  let said = 0
  // A clock ahead of ours makes nothing newer than now.
  const note = ({ payload, kind, at }: Heard): void => { if (kind !== 'gap') said = Math.max(said, Math.min(venueTimeOf(payload), at)) }

  const start = () => {
    const journal = openJournal(stored(), chain)
    const begun = Date.now()
    const buffer = openBuffer(journal, config.HL_SEGMENT_MS, warn, announced.ring)
    const hear = (one: Heard): void => { note(one); buffer.hear(one) }
    const rest = config.HL_API_URL === undefined ? undefined : openRest(config.HL_API_URL, config.HL_WEIGHT_PER_MINUTE, hear)
    const listening = rest === undefined || config.HL_API_URL === undefined ? undefined : listen({
      socketUrl: config.HL_WS_URL ?? socketUrlOf(config.HL_API_URL), coins: config.HL_COINS, books: config.HL_BOOK_COINS, accounts: config.HL_ACCOUNTS, before: async () => {
        const [heardLast, unasked, rated] = await Promise.all([journal.listened(begun), names(unaskedSql, { chain, followed: followed() }), names(ratedSql, { chain })])
        return { heardLast, unasked, rated: new Set(rated) }
      },
    }, rest, hear, warn)
    // It names no time of the venue, and is looked at by no one here.
    const leaderboard = config.HL_LEADERBOARD_URL === undefined ? undefined : openLeaderboard(config.HL_LEADERBOARD_URL, buffer.hear, warn)
    const tracked = rest === undefined ? undefined : openTracked({
      perMinute: config.HL_WEIGHT_PER_MINUTE, dexes: () => dexesOf(listening?.coins() ?? []),
      accounts: () => (config.HL_TRACK === 0 ? Promise.resolve([]) : names(trackedSql, { chain, most: config.HL_TRACK, suspects, followed: followed() })),
      roles: (asked, atOnce) => names(rolesSql, { chain, most: listed, at_once: atOnce, asked }),
    }, rest, warn)
    // Files are there to be read again: their payloads are stored before the position moves on.
    const take = async (heard: readonly Heard[]): Promise<void> => { for (const one of heard) note(one); await journal.append(heard); announced.ring() }
    const files = config.HL_FILES_DIR === undefined ? undefined : openFiles(stored(), chain, config.HL_FILES_DIR, take, warn)
    let closed = false
    let looking: Promise<unknown> = Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    const look = (): void => {
      looking = (files?.read() ?? Promise.resolve(false)).catch((thrown: unknown) => { warn(messageOf(thrown)) }).finally(() => { if (!closed && files !== undefined) timer = setTimeout(look, lookMs) })
    }
    look()
    return {
      journal, connected: () => listening?.connected() ?? true,
      close: async () => {
        closed = true
        clearTimeout(timer)
        tracked?.close()
        await leaderboard?.close()
        await listening?.close()
        await looking
        await buffer.close()
        await rest?.close()
      },
    }
  }

  return {
    listen: () => { started ??= start() },
    head: async () => {
      started ??= start()
      const newest = await started.journal.newest()
      if (newest !== null) return { ...newest, time: said === 0 ? newest.time : Math.floor(said / 1_000), finalized: newest.number, endpoint: 'venue' }
      throw new AppError('RPC_DOWN', `Nothing was heard of Hyperliquid yet${faults.length === 0 ? '' : `: ${faults.at(-1) ?? ''}`}`, { retry: 'wait' })
    },
    header: async (number) => {
      started ??= start()
      return started.journal.header(number)
    },
    names: () => ['venue'],
    announced: announced.next,
    ingest: async (batch, context) => {
      const [landed] = await context.store.query(landedSql, { chain: batch.chain, from: batch.from, to: batch.to }, Landed)
      if (landed === undefined || landed.segments !== batch.to - batch.from + 1 || `0x${landed.hash}` !== batch.hash) {
        throw new AppError('SEGMENT_GONE', `Segments ${batch.from} to ${batch.to} of ${batch.chain} do not stand as they were planned`, { retry: 'attempt' })
      }
      return { rows: landed.payloads, bytes: landed.bytes, endpoint: landed.endpoint }
    },
    close: async () => {
      await started?.close()
      await store?.close()
    },
  }
}
