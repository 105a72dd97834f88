/** What must be so before anything is started; each failure says what is wrong and what to do. */
import { mkdirSync, statfsSync } from 'node:fs'
import type { Config } from '../../schemas/config.js'
import { AppError, messageOf } from '../../schemas/errors.js'
import { isFree } from '../embedded/ports.js'

const leastBytes = 1024 ** 3
const gib = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GiB`

/** Refuses a directory that cannot be written or whose disk has less than `least` bytes left. */
export const checkDisk = (directory: string, least = leastBytes): void => {
  try { mkdirSync(directory, { recursive: true }) } catch (thrown) {
    throw new AppError('NO_DATA_DIR', `The data directory ${directory} cannot be made: ${messageOf(thrown)}. Choose another: DATA_DIR=/some/where npm run up`)
  }
  const { bavail, bsize } = statfsSync(directory)
  if (bavail * bsize < least) {
    throw new AppError('DISK_FULL', `The disk of ${directory} is full: ${gib(bavail * bsize)} left, ${gib(least)} needed at least. Free some, or choose another: DATA_DIR=/some/where npm run up`)
  }
}

/** Refuses a port that another program holds. */
export const checkPort = async (config: Pick<Config, 'PORT' | 'HOST'>): Promise<void> => {
  if (!(await isFree(config.PORT, config.HOST))) {
    throw new AppError('PORT_TAKEN', `Port ${config.PORT} on ${config.HOST} is taken by another program (or cannot be listened on). Choose another: PORT=${config.PORT < 65_535 ? config.PORT + 1 : 8_080} npm run up`)
  }
}
