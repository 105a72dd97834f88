/** Records, each read by an SQL file, explicitly. */
import type { z } from 'zod'
import { loadSql, type SqlFile } from '../schemas/sql.js'
import type { Ask } from './operation.js'

/** Record → what it is made from: `_meta.sources` of its answers. */
export const records = {
  hl_events: ['hl_trades', 'hl_liquidations', 'raw_payloads'], hl_traders: ['hl_traders', 'hl_trips'], hl_styles: ['hl_traders', 'hl_trips'], hl_alerts: ['hl_alerts', 'hl_signals'], hl_trader: ['hl_traders', 'hl_trips', 'hl_positions', 'hl_fills'], hl_fills: ['hl_fills'],
  hl_positions: ['hl_positions', 'hl_accounts'], hl_pulse: ['hl_trades', 'hl_liquidations', 'hl_contexts', 'hl_coins'], hl_depth: ['hl_books'], hl_flow: ['hl_trades', 'hl_liquidations'], hl_funding: ['hl_contexts', 'hl_predicted_fundings', 'hl_coins'], hl_suspects: ['hl_traders', 'hl_trips', 'hl_ledger_updates'], hl_strategies: ['hl_signals', 'hl_outcomes', 'hl_results', 'hl_gaps'],
  hl_alpha: ['hl_features', 'hl_results'], hl_alpha_results: ['hl_results'], hl_signal_log: ['hl_signals', 'hl_outcomes', 'hl_gaps'], hl_copytrade: ['hl_traders', 'hl_trips', 'hl_books', 'hl_funding_rates'], hl_signals: ['hl_signals', 'hl_alerts'], hl_insider_trades: ['hl_insider_trades', 'hl_trips', 'hl_trades'],
  designations: ['designations'],
} as const satisfies Readonly<Record<string, readonly string[]>>
export type RecordName = keyof typeof records

const sql = (file: string, ...without: readonly string[]): SqlFile => loadSql(import.meta.url, `operations/${file}.sql`, ...without)
const readings: Readonly<Record<RecordName, SqlFile>> = {
  designations: sql('forensic/listDesignations'),
  hl_events: sql('perps/getHlRecent'), hl_funding: sql('perps/getHlFunding'), hl_depth: sql('perps/getHlDepth'), hl_flow: sql('perps/getHlFlowHistory'), hl_pulse: sql('perps/getHlPulse'),
  hl_traders: sql('perps/getHlTraders'), hl_styles: sql('perps/getHlStyledTraders'), hl_trader: sql('perps/getHlTrader'), hl_fills: sql('perps/getHlTraderFills'), hl_positions: sql('perps/getHlPositions'),
  hl_copytrade: sql('perps/getHlCopytrade'), hl_suspects: sql('perps/getHlSuspects'), hl_insider_trades: sql('perps/getHlInsiderTrades'),
  hl_signals: sql('perps/getHlSignals'), hl_signal_log: sql('perps/getHlSignalLog'), hl_strategies: sql('perps/getHlStrategies'), hl_alpha: sql('perps/getHlAlpha'), hl_alpha_results: sql('perps/getHlAlphaResults'), hl_alerts: sql('perps/getHlAlerts'),
}

/** Whether something fills `record` and reads it. */
export const hasReading = (record: RecordName): boolean => Object.hasOwn(readings, record)

/** First pages that are asked so often that they do without the conditions of further ones. */
const firstPages: Readonly<Partial<Record<RecordName, SqlFile>>> = { hl_events: sql('perps/getHlRecent', 'further pages') }

/** threads: at most so many of the server's; first: the parameters are those of a first page. */
export interface How { readonly threads?: number | undefined; readonly first?: boolean }

/** Rows of `record`. */
export const readRecord = <Row>(record: RecordName, params: Readonly<Record<string, unknown>>, row: z.ZodType<Row>, ask: Ask, { threads, first = false }: How = {}): Promise<Row[]> =>
  ask.store.query((first ? firstPages[record] : undefined) ?? readings[record], params, row, threads === undefined ? {} : { max_threads: threads })
