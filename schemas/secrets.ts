/** What a node's URL keeps secret, cut out of every text of this process: a node may quote in an error the URL or key it was called with. */

const hidden = '[hidden]'
const secrets = new Set<string>()
let matcher: RegExp | undefined

/** A part of a path that is no word: long, or with a digit in it and not short (`v2` and `leaderboard` are no keys). */
const looksLikeKey = (part: string): boolean => part.length >= 12 || (part.length >= 8 && /\d/.test(part))
const namesKey = /key|token|secret|auth|pass|sig/i

const decoded = (text: string): string => { try { return decodeURIComponent(text) } catch { return text } }
const basicOf = ({ username, password }: URL): string => Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')

/** Parts of `url` nobody may read: its password, or a user without one, the header made of them, keys in its path and its query; each as written, as meant, and as JSON has it. */
const secretsOf = (url: URL): string[] => {
  const asked = url.search.slice(1).split('&').map((pair) => ({ name: pair.slice(0, Math.max(0, pair.indexOf('='))), value: pair.slice(pair.indexOf('=') + 1) }))
  const signs = url.username === '' ? [] : [url.password === '' || looksLikeKey(url.username) ? url.username : '', url.password, basicOf(url)]
  const parts = [...signs, ...url.pathname.split('/').filter(looksLikeKey), ...asked.filter(({ name, value }) => namesKey.test(name) || looksLikeKey(value)).map(({ value }) => value)]
  return parts.flatMap((part) => [part, decoded(part)]).flatMap((part) => [part, JSON.stringify(part).slice(1, -1)]).filter((part) => part.length >= 4)
}

const exactly = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
/** A short one only where it stands alone, so that a password `test` does not cut `latest`. */
const pattern = (secret: string): string => (secret.length >= 8 ? exactly(secret) : `(?<![\\p{L}\\p{N}])${exactly(secret)}(?![\\p{L}\\p{N}])`)

/** The mark, but where a secret begins within it and goes on behind it: what looks like a mark there is a sign before that secret. */
const mark = (): string => {
  const before = [...secrets].flatMap((secret) => Array.from({ length: hidden.length - 1 }, (_, at) => at + 1)
    .filter((at) => secret.length > hidden.length - at && secret.startsWith(hidden.slice(at))).map((at) => `(?!${exactly(hidden.slice(0, at))}${pattern(secret)})`))
  return `${before.join('')}${pattern(hidden)}`
}

/** From now on texts of this process are rid of what `url` keeps secret. */
export const hideSecretsOf = (url: string): void => {
  const before = secrets.size
  for (const secret of secretsOf(new URL(url))) secrets.add(secret)
  // The longest first: one may hold another. The mark is among them: a text is cleaned more than once on its way, and a secret may be a word of the mark.
  if (secrets.size > before) matcher = new RegExp([...secrets, hidden].sort((one, other) => other.length - one.length).map((one) => (one === hidden ? mark() : pattern(one))).join('|'), 'gu')
}

/** `text` without any secret known to this process. */
export const withoutSecrets = (text: string): string => (matcher === undefined ? text : text.replace(matcher, hidden))

const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return withoutSecrets(value)
  if (Array.isArray(value)) return value.map(cleaned)
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member)])) : value
}

/** A line of JSON whose texts are without any secret: names and numbers stay, whatever a password looks like. */
export const lineWithoutSecrets = (line: string): string => {
  if (matcher === undefined || line.search(matcher) < 0) return line
  try { return `${JSON.stringify(cleaned(JSON.parse(line)))}\n` } catch { return withoutSecrets(line) }
}
