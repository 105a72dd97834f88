/** What the headers of a 429 say: the window that refused, until when, and nothing of another. */
import assert from 'node:assert/strict'

/** `seconds` undefined: a window that is about what runs at once. */
export const isRefusal = (headers: Headers, name: string, limit: number, seconds?: number): void => {
  const wait = Number(headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= (seconds ?? 60), `Retry-After: ${wait}`)
  assert.deepEqual([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining'), headers.get('ratelimit')], [String(limit), '0', `"${name}";r=0;t=${wait}`])
  assert.ok(Math.abs(Number(headers.get('x-ratelimit-reset')) - Date.now() / 1_000 - wait) < 5, 'X-RateLimit-Reset is when Retry-After means')
  const own = `"${name}";q=${limit}${seconds === undefined ? '' : `;w=${seconds}`}`
  assert.ok(headers.get('ratelimit-policy')?.split(', ').includes(own), `${headers.get('ratelimit-policy') ?? ''} names ${own}`)
}
