/** The user and the password that a URL may hold. */

/** The URL without them, and the header that says the same: none where it names no user. fetch refuses a URL that has them. */
export const apartFromUser = (url: string): { readonly target: URL; readonly authorization: Readonly<Record<string, string>> } => {
  const target = new URL(url), user = decodeURIComponent(target.username), password = decodeURIComponent(target.password)
  target.username = target.password = ''
  return { target, authorization: user === '' ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` } }
}
