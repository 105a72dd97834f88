/** Text of strangers (token names, labels in public lists) made harmless; it stays data and is never part of a sentence of ours. */

/** `text` without control, format (zero-width, bidi), private-use, surrogate and unassigned characters and those that show as nothing (fillers, selectors of variants, an empty Braille pattern), spaces folded, at most `limit` characters. */
export const cleanText = (text: string, limit = 64): string =>
  [...text.replace(/[\p{Zl}\p{Zp}\p{Cc}]+/gu, ' ').replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu, '').normalize('NFC').replace(/\s+/g, ' ').trim()].slice(0, limit).join('').trim()
