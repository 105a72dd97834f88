/**
 * Known CoinJoins of the chain: the amounts and script types of each side (w: P2WPKH, t: P2TR, p: P2PKH), as public explorers show them. Which address brought an
 * input is not in them, so each has one of its own. Of the fourth one of 327 inputs is missing, and its height is the one of its day; that of the fifth is the lowest it
 * can have, that of the last a later one than of what it spends. The fifth is of JoinMarket, the sixth of DarkWallet. The last is no CoinJoin for sure: a wallet may have made it alone to look like one.
 */
import { readFileSync } from 'node:fs'
import type { Tx } from './btcLedger.js'

export interface Known { readonly txid: string; readonly block: number; readonly detector: string; readonly confidence: number; readonly ins: string; readonly outs: string }
export const knownCoinjoins = JSON.parse(readFileSync(new URL('../fixtures/bitcoin/coinjoins.json', import.meta.url), 'utf8')) as readonly [Known, Known, Known, Known, ...Known[]]

const kinds: Readonly<Record<string, string>> = { t: 'witness_v1_taproot', w: 'witness_v0_keyhash', p: 'pubkeyhash' }
/** Inputs or outputs out of their text, with addresses that begin with `side`. */
export const sideOf = (side: string, text: string) => text.split(' ').map((one, place) => (
  { address: `bc1q${side}${String(place).padStart(30, '0')}`, value: Number(one.slice(1)), type: kinds[one[0] ?? ''] ?? '' }))
export const txOf = ({ txid, ins, outs }: Known): Tx => ({ txid, ins: sideOf(`${txid.slice(0, 8)}i`, ins), outs: sideOf(`${txid.slice(0, 8)}p`, outs) })
