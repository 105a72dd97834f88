/** Addresses that stand in the free text of a list. */
import { normalAddress } from '../../../../schemas/addresses/normalAddress.js'

/** What an address is of where no ticker stands before it: its form says. */
const assetOf = (chain: string, form: string): string => (form === 'EVM' ? 'ETH' : chain === 'TRON' ? 'TRX' : chain)
const tickerPattern = /(?:^|[^0-9A-Za-z])(XBT|BTC|ETH|USDT|USDC|BNB|BSC|TRX|LTC|XMR|XRP|ZEC|DASH|BCH|BSV|BTG|ETC|XVG|SOL|ARB|DOGE|XLM|ALGO|ADA)[\s:=/–-]*$/i

export interface Mention { readonly ticker: string; readonly address: string }

/** Every mention in order, also repeated ones. What follows a ticker and is as long as an address, and 0x with 40 hex digits, counts even where its checksum is wrong: it is kept, and told as not readable later. */
export const addressesIn = (text: string): readonly Mention[] => {
  const found: Mention[] = []
  // An address is of letters and digits alone (with such that look alike, and such that are not seen): what else stands beside it, with or without a space, is none of it.
  for (const match of text.matchAll(/(?:bitcoincash:)?[\p{L}\p{N}\p{Cf}]{14,128}/giu)) {
    const [word] = match
    const before = text.slice(Math.max(0, match.index - 40), match.index).replace(/[\u202f\u00a0]/gu, ' ')
    const ticker = tickerPattern.exec(before)?.[1]?.toUpperCase()
    const read = normalAddress(word)
    const sure = read.reason === null && !['SOL', 'LSK', 'SC'].includes(read.form)
    // 0x and 40 hex digits are meant as one whatever stands before it, also where the letter case says that it is mistyped.
    const meant = read.form === 'EVM' && /^0x[0-9a-f]{40}$/i.test(read.text)
    if (!sure && !meant && !(ticker !== undefined && /^[0-9A-Za-z]{24,128}$/.test(word))) continue
    found.push({ ticker: ticker ?? assetOf(read.chain, read.form), address: word })
  }
  return found
}
