/** An answer as an example shows it: lists of two rows, long texts broken off, nothing secret, nothing that is of the moment. */
const rows = 2, longest = 400, most = 12
const day = 86_400_000
const isNow = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && Math.abs(Date.parse(text) - Date.now()) < 2 * day

const textOf = (name: string, text: string): string => {
  if (name === 'next_cursor' || name === 'deeper_cursor') return `<${name}>`
  const open = text.replace(/hyd_[0-9A-Za-z]{38}/g, 'hyd_<shown once>').replace(/whsec_[0-9A-Za-z+/=_-]+/g, 'whsec_<shown once>').replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8080').replace(/\d+ (s|min|h|days) old/, 'some days old')
  return isNow(open) ? '2026-01-01T00:00:00.000Z' : open.length > longest ? `${open.slice(0, longest / 2)}…` : open
}

/** `narrow`: objects of many members are cut, too, which a schema that names its members does not allow. */
export const shortened = (value: unknown, narrow = false): unknown => JSON.parse(JSON.stringify(value, (name, item: unknown) => {
  if (typeof item === 'string') return textOf(name, item)
  // Linters take a schema within an example for one of the description's own.
  if (name === 'outputSchema') return { type: 'object' }
  // The description's own example would hold the one before, and grow with every recording.
  if (name === 'examples' && item !== null && typeof item === 'object' && !Array.isArray(item)) return undefined
  if (Array.isArray(item)) return item.slice(0, rows)
  return narrow && item !== null && typeof item === 'object' && Object.keys(item).length > most ? Object.fromEntries(Object.entries(item).slice(0, rows)) : item
}))
