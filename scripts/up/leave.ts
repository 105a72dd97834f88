/** The end of a process that may have outlived its terminal. */
import { isatty } from 'node:tty'

/** Which of input, output and errors were a terminal when this was started. */
const terminals = [0, 1, 2].filter((fd) => isatty(fd))

/** Exits with `code`. Node puts terminals back as they were, and aborts with an assertion (ResetStdio) where one has ended: then this ends as SIGHUP ends whoever does not listen to it. */
export const leave = (code: number): void => {
  if (terminals.every((fd) => isatty(fd))) process.exit(code)
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}
