/** What must be so before anything is started; each failure says what is wrong and what to do. */
import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Redis } from 'ioredis'
import type { Config } from '../../schemas/config.js'
import { AppError, messageOf, unavailable } from '../../schemas/errors.js'
import { isDenied, keptOut } from '../../schemas/redis.js'
import { whyTaken } from '../embedded/ports.js'

const leastBytes = 1024 ** 3
const gib = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GiB`

/** Makes a directory and what is missing above it, one by one: Node's own way (`recursive`) tries for ever where nothing can be made, as under /proc. */
const make = (directory: string): void => {
  if (existsSync(directory)) {
    if (!statSync(directory).isDirectory()) throw new Error(`${directory} is not a directory`)
    return
  }
  make(dirname(directory))
  mkdirSync(directory)
}

/** Refuses a directory that cannot be written or whose disk has less than `least` bytes left; `room` asks the file system. */
export const checkDisk = (directory: string, least = leastBytes, room: (path: string) => { bavail: number; bsize: number } = statfsSync): void => {
  try {
    make(directory)
    accessSync(directory, constants.W_OK)
  } catch (thrown) {
    throw new AppError('NO_DATA_DIR', `The data directory ${directory} cannot be made or written: ${messageOf(thrown)}. Choose another: DATA_DIR=/some/where npm run up`)
  }
  const { bavail, bsize } = room(directory)
  if (bavail * bsize < least) {
    throw new AppError('DISK_FULL', `The disk of ${directory} is full: ${gib(bavail * bsize)} left, ${gib(least)} needed at least. Free some, or choose another: DATA_DIR=/some/where npm run up`)
  }
}

/** Refuses a port that another program holds, and a host or a port that cannot be listened on here. */
export const checkPort = async ({ PORT: port, HOST: host }: Pick<Config, 'PORT' | 'HOST'>): Promise<void> => {
  const why = await whyTaken(port, host)
  if (why === undefined) return
  const another = `Choose another: PORT=${port < 65_535 ? port + 1 : 8_080} npm run up`
  if (why === 'EADDRINUSE') throw new AppError('PORT_TAKEN', `Port ${port} on ${host} is taken by another program. ${another}`)
  if (why === 'EACCES') throw new AppError('PORT_DENIED', `Port ${port} on ${host} may not be listened on by this user. ${another}`)
  throw new AppError('HOST_UNUSABLE', `HOST ${host} cannot be listened on (${why}): it is no address of this machine. Set HOST to one that is, 127.0.0.1 for this machine alone or 0.0.0.0 for all of them.`)
}

/** Refuses a Redis that does not answer or does not let us in; `say` warns of one that may throw jobs away. */
export const checkRedis = async (url: string, say: (line: string) => void): Promise<void> => {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null, connectTimeout: 5_000, commandTimeout: 5_000 })
  // The reason of a refused connection comes as an event; what `connect` rejects with only says that it is closed.
  let reason: unknown
  redis.on('error', (fault) => { reason = fault })
  try {
    await redis.connect()
    const refused = keptOut(reason ?? {})
    if (refused !== undefined) throw refused
    const policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info('memory'))?.[1]
    if (policy !== undefined && policy !== 'noeviction') say(`Redis throws keys away when it is full (maxmemory-policy ${policy}): jobs can get lost. Set it to noeviction.`)
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    const why = reason ?? thrown
    if (isDenied(why)) throw new AppError('REDIS_DENIED', `Redis at ${new URL(url).host} refuses the user or the password of REDIS_URL`, { cause: why })
    throw unavailable(`Redis at ${new URL(url).host} (REDIS_URL)`, why)
  } finally {
    redis.disconnect()
  }
}
