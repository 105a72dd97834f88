/**
 * Known CoinJoins of the chain: the amounts and script types of each side (w: P2WPKH, t: P2TR, p: P2PKH), as public explorers show them. Which address brought an
 * input is not in them, so each has one of its own. Of the fourth one of 327 inputs is missing, and its height is the one of its day; that of the fifth is the lowest it
 * can have, that of the last a later one than of what it spends. The fifth is of JoinMarket, the sixth of DarkWallet. The last is no CoinJoin for sure: a wallet may have made it alone to look like one.
 */
import { readFileSync } from 'node:fs'
import type { Tx as Bytes } from '../normalize/bitcoin/madeUp.js'
import type { Tx } from './btcLedger.js'

export interface Known { readonly txid: string; readonly block: number; readonly detector: string; readonly confidence: number; readonly ins: string; readonly outs: string }
export const knownCoinjoins = JSON.parse(readFileSync(new URL('../fixtures/bitcoin/coinjoins.json', import.meta.url), 'utf8')) as readonly [Known, Known, Known, Known, ...Known[]]

const kinds: Readonly<Record<string, string>> = { t: 'witness_v1_taproot', w: 'witness_v0_keyhash', p: 'pubkeyhash' }
/** Inputs or outputs out of their text, with addresses that begin with `side`. */
export const sideOf = (side: string, text: string) => text.split(' ').map((one, place) => (
  { address: `bc1q${side}${String(place).padStart(30, '0')}`, value: Number(one.slice(1)), type: kinds[one[0] ?? ''] ?? '' }))
export const txOf = ({ txid, ins, outs }: Known): Tx => ({ txid, ins: sideOf(`${txid.slice(0, 8)}i`, ins), outs: sideOf(`${txid.slice(0, 8)}p`, outs) })

/** Known CoinJoins with every outpoint, script and amount; version and locktime null: the source does not say them, nor what the inputs say, so its hash cannot be made of it. */
export interface Whole { readonly txid: string; readonly block: number; readonly detector: string; readonly confidence: number; readonly version: number | null; readonly locktime: number | null; readonly ins: readonly string[]; readonly outs: readonly string[] }
export const wholeCoinjoins = JSON.parse(readFileSync(new URL('../fixtures/bitcoin/coinjoinsWhole.json', import.meta.url), 'utf8')) as readonly Whole[]

const paid = (value = '', script = '') => ({ value: BigInt(value), script: Buffer.from(script, 'hex'), type: script.startsWith('0014') ? 'witness_v0_keyhash' : 'pubkeyhash' })
/** Its bytes without signatures: the hash of a transaction whose inputs are all of segregated witness hangs on none. */
export const bytesOf = ({ version, locktime, ins, outs }: Whole): Bytes => ({
  version: version ?? 1, locktime: locktime ?? 0, outs: outs.map((one) => paid(...one.split(' '))),
  ins: ins.map((one) => {
    const [outpoint = '', value, script, sequence = 'ffffffff'] = one.split(' '), [txid = '', vout] = outpoint.split(':')
    return { txid, vout: Number(vout), sequence: Number.parseInt(sequence, 16), script: Buffer.alloc(0), witness: [], spends: paid(value, script) }
  }),
})
