/** Any text that may be an address, of any chain that sanctions lists name, in the one form by which it is found. */
import { forms } from './forms.js'
import { withoutLookAlikes } from './lookAlikes.js'

/**
 * key: by which listings are found, in lower case, so that a text whose case was lost still finds its listing. same: other texts of the same key or script; also: their keys.
 * form and chain: '' where nothing tells. repaired: what was mended. reason: why it is not normalisable; null where it is.
 */
export interface NormalAddress {
  readonly text: string; readonly key: string; readonly same: readonly string[]; readonly also: readonly string[]; readonly form: string; readonly chain: string
  readonly repaired: string | null; readonly reason: string | null
}

/** Longest text that is looked at; an address is shorter. */
const mostLetters = 256

const inForm = (text: string): NormalAddress => {
  const unread = (reason: string, form = '', chain = ''): NormalAddress => ({ text, key: text.toLowerCase(), same: [], also: [], form, chain, repaired: null, reason })
  let refusal: NormalAddress | null = null
  for (const one of forms) {
    const read = one.read(text)
    if (read === null) continue
    if ('wrong' in read) { refusal ??= unread(read.wrong, one.form, one.chain); continue }
    const { form, chain } = read.kind ?? one
    const same = read.same ?? []
    return { text: read.text, key: read.text.toLowerCase(), same, also: same.map((other) => other.toLowerCase()), form, chain, repaired: null, reason: null }
  }
  return refusal ?? unread('this is no form of an address that is known here')
}

/** Reads a text as a list or a caller has it. Invisible letters, spaces and notes in brackets go; look-alike letters are mended and said. */
export const normalAddress = (received: string): NormalAddress => {
  const bare = received.slice(0, mostLetters).replace(/[\p{Cf}\p{Cc}]/gu, '').replace(/\s*\([^)]*\)\s*\*?\s*$/u, '').replace(/\s+/gu, '')
  if (/^[\x00-\x7f]*$/.test(bare)) return inForm(bare)
  const read = inForm(withoutLookAlikes(bare))
  return /^[\x00-\x7f]*$/.test(read.text) ? { ...read, repaired: 'letters of other scripts that look alike' } : { ...read, reason: 'it holds letters that no address has' }
}
