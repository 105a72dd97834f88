/**
 * Fetching from a URL that a stranger chose. Only https to public addresses: the name is resolved once, every address it has is looked
 * at, and the connection goes to one of just those. Redirects are not followed, or each is looked at like the first URL; time and size are bounded, credentials are refused.
 */
import { lookup as resolveName } from 'node:dns/promises'
import { BlockList, isIP, isIPv4 } from 'node:net'
import { Agent, request, type Dispatcher } from 'undici'
import { AppError, messageOf } from './errors.js'
import { beginning } from './text.js'

const refusedV4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.31.196.0', 24], ['192.52.193.0', 24],
  ['192.88.99.0', 24], ['192.168.0.0', 16], ['192.175.48.0', 24], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4],
] as const) refusedV4.addSubnet(network, bits, 'ipv4')

/** Of IPv6 only what is routed in public, without the parts of it that carry other addresses inside. */
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
const refusedV6 = new BlockList()
for (const [network, bits] of [['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20]] as const) refusedV6.addSubnet(network, bits, 'ipv6')

/** Whether an IP address is one of the public internet: not this machine, not a private network, not link-local, not a cloud's metadata. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 0) return false
  if (isIPv4(address)) return !refusedV4.check(address, 'ipv4')
  const bare = address.replace(/%.*$/, '')
  return publicV6.check(bare, 'ipv6') && !refusedV6.check(bare, 'ipv6')
}

const refuse = (why: string): AppError => new AppError('URL_REFUSED', why, { status: 422, body: { parameter: 'url', hint: 'Give an https URL of a host on the public internet, without credentials, on the usual port, of at most 2048 characters.' } })
const isLoopback = (host: string): boolean => host === '127.0.0.1' || host === '::1'

/** The URL, if it may be asked at all before its name is resolved; throws URL_REFUSED with the reason. `loopback` is for tests alone: http to 127.0.0.1 on any port goes, too. */
export const checkUrl = (text: string, loopback = false): URL => {
  if (text.length > 2_048) throw refuse('The URL is longer than 2048 characters')
  let url: URL
  try { url = new URL(text) } catch { throw refuse('This is not a URL') }
  if (loopback && url.protocol === 'http:' && url.hostname === '127.0.0.1' && url.username === '' && url.password === '') return url
  if (url.protocol !== 'https:') throw refuse('Only https is fetched')
  if (url.username !== '' || url.password !== '') throw refuse('A URL with credentials is not fetched')
  if (url.port !== '') throw refuse('Only the usual port of https is fetched')
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0 ? !isPublicAddress(host) : !host.includes('.') || /\.(local|localhost|internal|lan|home|arpa|onion|test|invalid|example)$/i.test(host)) throw refuse('The host is not one of the public internet')
  return url
}

export type Resolve = (host: string) => Promise<readonly string[]>
const resolveAll: Resolve = async (host) => (await resolveName(host, { all: true, verbatim: true })).map(({ address }) => address)

/** The addresses a name may be asked at; throws URL_REFUSED where one of them is not public. */
export const publicAddresses = async (host: string, resolve: Resolve, loopback = false): Promise<readonly string[]> => {
  const addresses = await resolve(host)
  if (addresses.length === 0) throw refuse('The host has no address')
  if (!addresses.every((address) => isPublicAddress(address) || (loopback && isLoopback(address)))) throw refuse('The host resolves to an address that is not public')
  return addresses
}

/** Redirects that a stream follows. */
const mostRedirects = 3

export interface Fetched { readonly text: string; readonly type: string }
export interface Outbound {
  /** The body of a 200 as text; throws URL_REFUSED, TOO_LARGE or FETCH_FAILED (also on a redirect and any other status). */
  get(url: string): Promise<Fetched>
  /** The bytes of a 200 as they come, for what is too large for memory; up to three redirects, each checked like the first URL. Throws as get does, also on the way. */
  stream(url: string): AsyncIterable<Buffer>
  close(): Promise<void>
}
export interface OutboundPost {
  /** Sends `body` and resolves to the status, whatever it is (also of a redirect); the answer is not read. Throws URL_REFUSED or FETCH_FAILED. */
  post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<number>
}

export interface OutboundOptions { readonly bytes?: number; readonly milliseconds?: number; readonly resolve?: Resolve; /** For tests: this machine's own addresses are reached. */ readonly loopback?: boolean; /** For tests: what carries requests once the URL was checked. */ readonly dispatcher?: Dispatcher }

const readBody = async (body: AsyncIterable<Buffer>, most: number): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most) throw new AppError('TOO_LARGE', `The answer is larger than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Opens a fetcher; `bytes` (default 64 KiB) and `milliseconds` (default 5000, everything included) bound each answer. */
export const openOutbound = ({ bytes = 65_536, milliseconds = 5_000, resolve = resolveAll, loopback = false, dispatcher: given }: OutboundOptions = {}): Outbound & OutboundPost => {
  const agent = (connections: number | null): Dispatcher => given ?? new Agent({
    connections, pipelining: 0, maxHeaderSize: 16_384,
    connect: {
      timeout: milliseconds,
      // The addresses looked at are those connected to: a name cannot mean one address here and another there.
      lookup: (host, options, done) => {
        publicAddresses(host, resolve, loopback).then((addresses) => {
          const found = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
          if (options.all === true) done(null, found)
          else done(null, found[0]?.address ?? '', found[0]?.family)
        }, (thrown: unknown) => { done(thrown as NodeJS.ErrnoException, '', 4) })
      },
    },
  })
  const dispatcher = agent(2), senders = agent(null)
  return {
    get: async (text) => {
      const url = checkUrl(text)
      try {
        if (given !== undefined && isIP(url.hostname) === 0) await publicAddresses(url.hostname, resolve)
        const { statusCode, headers, body } = await request(url, { dispatcher, method: 'GET', headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'hydrophone' }, signal: AbortSignal.timeout(milliseconds) })
        if (statusCode !== 200) { body.on('error', () => undefined).destroy(); throw new AppError('FETCH_FAILED', statusCode >= 300 && statusCode < 400 ? 'A redirect, which is not followed' : `HTTP ${statusCode}`) }
        if (Number(headers['content-length'] ?? 0) > bytes) { body.on('error', () => undefined).destroy(); throw new AppError('TOO_LARGE', `The answer is larger than ${bytes} bytes`) }
        return { text: await readBody(body, bytes), type: String(headers['content-type'] ?? '') }
      } catch (thrown) {
        if (thrown instanceof AppError) throw thrown
        throw new AppError('FETCH_FAILED', beginning(messageOf(thrown), 200), { cause: thrown })
      }
    },
    stream: async function* (text) {
      const signal = AbortSignal.timeout(milliseconds)
      let url = checkUrl(text)
      try {
        for (let left = mostRedirects; ; left -= 1) {
          if (given !== undefined && isIP(url.hostname) === 0) await publicAddresses(url.hostname, resolve)
          const { statusCode, headers, body } = await request(url, { dispatcher, method: 'GET', headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'hydrophone' }, signal })
          const { location } = headers
          if (statusCode >= 300 && statusCode < 400 && typeof location === 'string' && left > 0) {
            body.on('error', () => undefined).destroy()
            url = checkUrl(new URL(location, url).href)
            continue
          }
          if (statusCode !== 200) { body.on('error', () => undefined).destroy(); throw new AppError('FETCH_FAILED', left === 0 ? 'Too many redirects' : `HTTP ${statusCode}`) }
          let size = 0
          for await (const chunk of body as AsyncIterable<Buffer>) {
            size += chunk.length
            if (size > bytes) throw new AppError('TOO_LARGE', `The answer is larger than ${bytes} bytes`)
            yield chunk
          }
          const announced = Number(headers['content-length'] ?? size)
          if (size < announced) throw new AppError('FETCH_FAILED', `The answer ended after ${size} of ${announced} bytes`)
          return
        }
      } catch (thrown) {
        if (thrown instanceof AppError) throw thrown
        throw new AppError('FETCH_FAILED', beginning(messageOf(thrown), 200), { cause: thrown })
      }
    },
    post: async (text, content, headers) => {
      const url = checkUrl(text, loopback)
      try {
        if (given !== undefined && isIP(url.hostname) === 0) await publicAddresses(url.hostname, resolve)
        // A connection of its own each time: the name is looked at anew, and nobody else's answer is waited for.
        const { statusCode, body } = await request(url, { dispatcher: senders, method: 'POST', body: content, reset: true, headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'hydrophone' }, signal: AbortSignal.timeout(milliseconds) })
        // What it answers is of no account: the connection is ended without reading it.
        body.on('error', () => undefined).destroy()
        return statusCode
      } catch (thrown) {
        if (thrown instanceof AppError) throw thrown
        throw new AppError('FETCH_FAILED', beginning(messageOf(thrown), 200), { cause: thrown })
      }
    },
    close: async () => { await dispatcher.close(); if (senders !== dispatcher) await senders.close() },
  }
}
