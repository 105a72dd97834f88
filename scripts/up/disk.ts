/** The disk under the data directory while the service runs: stores that cannot write are silent about why. */
import { statfsSync } from 'node:fs'

/** Bytes left below which the stores are soon unable to write, and above which there is room again. */
const little = 512 * 1024 ** 2, enough = 1024 ** 3

/** Looks every `everyMs` and says when little is left, and when there is room again; returns what stops it. */
export const watchDisk = (directory: string, say: (line: string) => void, everyMs = 5_000, room: (path: string) => { bavail: number; bsize: number } = statfsSync): (() => void) => {
  let told = false
  const look = (): void => {
    let left: number
    try { const { bavail, bsize } = room(directory); left = bavail * bsize } catch { return }
    if (!told && left < little) {
      told = true
      say(`The disk of ${directory} is almost full: ${Math.floor(left / 1024 ** 2)} MiB left. Free some: without room nothing is written, and blocks wait; they go on by themselves once there is.`)
    } else if (told && left >= enough) { told = false; say(`The disk of ${directory} has room again.`) }
  }
  const timer = setInterval(look, everyMs)
  return () => { clearInterval(timer) }
}
