/**
 * Known CoinJoins of the chain: the amounts and script types of each side (w: P2WPKH, t: P2TR), as public explorers show them. Which address brought an
 * input is not in them, so each has one of its own. Of the fourth one of 327 inputs is missing, and its height is the one of its day.
 */
import { readFileSync } from 'node:fs'
import type { Tx } from './btcLedger.js'

export interface Known { readonly txid: string; readonly block: number; readonly detector: string; readonly confidence: number; readonly ins: string; readonly outs: string }
export const knownCoinjoins = JSON.parse(readFileSync(new URL('../fixtures/bitcoin/coinjoins.json', import.meta.url), 'utf8')) as readonly [Known, Known, Known, Known]

/** Inputs or outputs out of their text, with addresses that begin with `side`. */
export const sideOf = (side: string, text: string) => text.split(' ').map((one, place) => (
  { address: `bc1q${side}${String(place).padStart(30, '0')}`, value: Number(one.slice(1)), type: one.startsWith('t') ? 'witness_v1_taproot' : 'witness_v0_keyhash' }))
export const txOf = ({ txid, ins, outs }: Known): Tx => ({ txid, ins: sideOf(`${txid.slice(0, 8)}i`, ins), outs: sideOf(`${txid.slice(0, 8)}p`, outs) })
