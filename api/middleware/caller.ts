import { isIPv4, isIPv6 } from 'node:net'
import type { Context, Middleware } from '../context.js'
import type { Config } from '../../schemas/config.js'

/** The caller's address: the socket's, or the entry of X-Forwarded-For that the outermost trusted proxy wrote. */
export const ipOf = (ctx: Context, trustedProxies: number): string => {
  const socket = ctx.req.socket.remoteAddress ?? ''
  if (trustedProxies === 0 && !socket.includes(':')) return socket
  const chain = trustedProxies === 0 ? [] : ctx.get('X-Forwarded-For').split(',').map((part) => part.trim()).filter((part) => part !== '')
  const claimed = chain.at(-trustedProxies) ?? chain[0] ?? ''
  const address = withoutPort(claimed)
  return countedOf(isIPv4(address) || isIPv6(address) ? address : socket)
}

/** The address of `1.2.3.4:56`, `[::1]` and `[::1]:56`, as some proxies write it; any other text as it is. */
const withoutPort = (written: string): string => {
  const [, four, six] = /^(?:([\d.]+):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i.exec(written) ?? []
  if (four !== undefined) return four
  return six !== undefined && isIPv6(six) ? six : written
}

/** What an address is counted as: itself, or its network. */
export const countedOf = (address: string): string => {
  const ip = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(ip) ? networkOf(ip) : ip
}

/** The /64 of an IPv6 address: what one household or one server has, and so what is counted. */
export const networkOf = (ip: string): string => {
  const [head = '', tail = ''] = ip.toLowerCase().replace(/%.*$/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const groups = ip.includes('::') ? [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right] : left
  return `${groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Fills in the base URL under which the caller came. */
export const caller = (config: Pick<Config, 'PUBLIC_URL' | 'TRUSTED_PROXIES' | 'PORT'>): Middleware => {
  const fixed = config.PUBLIC_URL?.replace(/\/$/, '')
  return (ctx, next) => {
    const { headers } = ctx.req
    const host = headers.host ?? ''
    const scheme = config.TRUSTED_PROXIES > 0 && headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
    ctx.state.baseUrl = fixed ?? `${scheme}://${/^[\w.[\]:-]{1,255}$/.test(host) ? host : `127.0.0.1:${config.PORT}`}`
    return next()
  }
}
