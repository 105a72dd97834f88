/** Chains whose addresses registers list, beside those of this service. */
import { z } from 'zod'
import { chains, findChain } from '../../../schemas/chains.js'
import { unknownChain } from '../../faults.js'
import { instantField } from '../../fields.js'

const listedChains: Readonly<Record<string, string>> = {
  TRON: 'TRON', TRX: 'TRON', LTC: 'LTC', XMR: 'XMR', ZEC: 'ZEC', DASH: 'DASH', BCH: 'BCH', BSV: 'BSV', BTG: 'BTG', ETC: 'ETC', XVG: 'XVG', XRP: 'XRP', BSC: 'BSC', BNB: 'BNB', XBT: 'BTC', DOGE: 'DOGE', XLM: 'XLM', ALGO: 'ALGO', ADA: 'ADA',
}
const screenable = [...new Set([...chains.map(({ id }) => id), ...Object.values(listedChains)])].sort()

/** The chain a caller says an address is of; it is told back, and all registers are asked whatever it is. Throws UNKNOWN_CHAIN. */
export const screenedChain = (received: string): string => {
  const chain = findChain(received)?.id ?? listedChains[received.toUpperCase()]
  if (chain === undefined) throw unknownChain(received, screenable, 'Leave chain out to screen on all chains.')
  return chain
}

export const asOfField = instantField('Registers as they were then')

/** Any text: one that is no address is UNKNOWN with the reason, and what a list writes with letters that look alike is found as it is pasted. */
export const screenedField = z.string().min(1).max(256).describe('Address of any chain')
