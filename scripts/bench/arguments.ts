/** What `npm run bench` was asked for. */
import { parseOptions } from '../../schemas/command.js'

export const parts = ['backfill', 'tip', 'rest', 'history', 'bitcoin', 'bitcoin-history', 'clusters', 'screening', 'hyperliquid'] as const

export interface BenchArguments { readonly wanted: ReadonlySet<string>; readonly blocks: number; readonly tipBlocks: number; readonly rounds: number; /** Full blocks of Bitcoin. */ readonly btcBlocks: number; /** Movements of the long history. */ readonly transfers: number; /** Outputs of Bitcoin's long history. */ readonly outputs: number; /** Addresses to be clustered. */ readonly addresses: number; /** Fills of Hyperliquid's long history. */ readonly fills: number; readonly peers: boolean; readonly out?: string }

const usage = `npm run bench [-- --only ${parts.join(',')}] [--blocks N] [--tip-blocks N] [--rounds N] [--transfers N] [--btc-blocks N] [--outputs N] [--addresses N] [--fills N] [--peers] [--out FILE]`

/** Throws what is wrong, in words, for an argument that cannot be. */
export const readArguments = (given: readonly string[]): BenchArguments => {
  const { values } = parseOptions(usage, {
    blocks: { type: 'string', default: '2048' }, only: { type: 'string', default: parts.join(',') }, 'tip-blocks': { type: 'string', default: '40' }, rounds: { type: 'string', default: '5' },
    transfers: { type: 'string', default: '50000000' }, addresses: { type: 'string', default: '10000000' }, fills: { type: 'string', default: '20000000' }, 'btc-blocks': { type: 'string', default: '240' }, outputs: { type: 'string', default: '50000000' },
    peers: { type: 'boolean', default: false }, out: { type: 'string' },
  }, false, [...given])
  const wanted = new Set(values.only.split(',').map((name) => name.trim()))
  const strangers = [...wanted].filter((name) => !(parts as readonly string[]).includes(name))
  if (strangers.length > 0) throw new Error(`--only: '${strangers.join(', ')}' is not a part of the bench (known: ${parts.join(', ')})`)
  if (values.peers && !wanted.has('backfill')) throw new Error('--peers compares with the backfill of the same run, and --only leaves the backfill out')
  const positive = (name: 'blocks' | 'tip-blocks' | 'rounds' | 'transfers' | 'btc-blocks' | 'outputs' | 'addresses' | 'fills'): number => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name}: a whole number above 0 was expected, not '${values[name]}'`)
    return value
  }
  return { wanted, blocks: positive('blocks'), tipBlocks: positive('tip-blocks'), rounds: positive('rounds'), transfers: positive('transfers'), addresses: positive('addresses'), fills: positive('fills'), btcBlocks: positive('btc-blocks'), outputs: positive('outputs'), peers: values.peers, ...(values.out === undefined ? {} : { out: values.out }) }
}
