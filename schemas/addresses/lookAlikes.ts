/** Letters of other scripts that look like Latin ones: lists were seen that write TRON addresses with them, tokens that write symbols of others. */

/** Per letter, the letters of Cyrillic, Greek, Armenian, Cherokee and phonetic extensions that look like it. */
const lookAlikes: Readonly<Record<string, string>> = {
  A: 'ΑАᎪ', B: 'ΒВᏴ', C: 'СϹᏟ', D: 'Ꭰᗞ', E: 'ΕЕᎬ', F: 'ϜᖴҒ', G: 'ԌᏀ', H: 'ΗНᎻ', I: 'ΙІ', J: 'ЈᎫͿ', K: 'ΚКᏦ', L: 'ᏞԼᒪ', M: 'ΜМᎷ', N: 'Ν', O: 'ΟОՕ', P: 'ΡРᏢ', Q: 'ԚⵕႭ', R: 'ᎡᏒᖇ', S: 'ЅՏᏚ', T: 'ΤТᎢ', U: 'ՍԱ',
  V: 'ѴᏙⴸ', W: 'ԜᎳ', X: 'ΧХⅩ', Y: 'ΥҮУ', Z: 'ΖᏃ',
  a: 'аɑα', b: 'ЬƄᖯ', c: 'сᴄϲ', d: 'ԁɗ', e: 'еҽ', f: 'ſϝք', g: 'ɡցǥ', h: 'հһℎ', i: 'іıι', j: 'јϳʝ', k: 'κкᴋ', l: 'ӏ', m: 'ⅿм', n: 'ոռᴨ', o: 'оοօᴏᴑ', p: 'рρ', q: 'ԛզգ', r: 'гᴦⲅ', s: 'ѕꜱ', t: 'τтᴛ', u: 'սυᴜʋ', v: 'ѵνᴠ', w: 'ԝѡᴡա', x: 'хχ',
  y: 'уүγỿ', z: 'ᴢᴤ',
}
const latin: ReadonlyMap<string, string> = new Map(Object.entries(lookAlikes).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)))

/** The table for statements, which have a long s as the s it stands for: each letter of `alike` looks like the one of `latin` in its place. */
const forStatements = [...latin].filter(([letter]) => letter !== 'ſ')
export const lookAlikeLetters: { readonly alike: string; readonly latin: string } = { alike: forStatements.map(([letter]) => letter).join(''), latin: forStatements.map(([, plain]) => plain).join('') }

const known = (text: string): string => [...text].map((letter) => latin.get(letter) ?? letter).join('')

/** `text` with look-alikes (also full-width and other compatibility forms) as the letters they stand for. The table goes first: what is compatible with a lunate sigma is no C. */
export const withoutLookAlikes = (text: string): string => known(known(text).normalize('NFKC'))
