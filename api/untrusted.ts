/** Text that came from a chain is data, never instruction: the one place where it is cleaned. */

// Control, format (zero-width, bidi, tags), private use, surrogates, unassigned, line and paragraph separators; what shows as nothing by default (fillers of Hangul, which are letters, selectors of variants), and the empty pattern of Braille.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
// Printable ASCII without white space at its ends or twice: nothing below changes it, and nearly all names are such.
const clear = /^[!-~]+(?: [!-~]+)*$/

/** `text` without what cannot be seen, composed (NFC), runs of white space as one space, cut at `most` characters (50 for a symbol or a name). */
export const untrusted = (text: string, most = 50): string => {
  if (text.length <= most && clear.test(text)) return text
  const clean = text.replace(/[\p{Zs}\t\n\r]+/gu, ' ').replace(unseen, '').normalize('NFC').trim()
  return [...clean].slice(0, most).join('')
}

/** `text` without what cannot be seen, and else as it is: not cut, nothing composed, tabs, line breaks and all spaces kept. For values that somebody reckons with. */
export const visible = (text: string): string => (clear.test(text) ? text : text.replace(unseen, (one) => (one === '\t' || one === '\n' || one === '\r' ? one : '')))
