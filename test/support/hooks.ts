/** Mocha root hooks: a failure names its causes (those of files that run side by side would be lost on their way to the reporter), databases go back when the file that took them is over, the shared servers end with the run, and a run that holds something open fails with words instead of hanging. */
import { databases, returnDatabases, stopServers } from './servers.js'

const graceMs = 20_000

let file: string | undefined
let theirs: readonly string[] = []

export const mochaHooks = {
  // What is named between the last test of one file and the first of the next belongs to the next, whose suites open it.
  beforeEach: async function (this: Mocha.Context): Promise<void> {
    if (this.currentTest?.file === file) return
    this.timeout(60_000)
    await returnDatabases(theirs)
    theirs = []
    file = this.currentTest?.file
  },
  afterEach: function (this: Mocha.Context): void {
    theirs = databases()
    if (process.env['MOCHA_WORKER_ID'] === undefined) return
    const failure = this.currentTest?.err
    for (let cause = failure?.cause; failure !== undefined && cause instanceof Error; cause = cause.cause) failure.stack += `\n   caused by: ${(cause as { code?: string }).code ?? ''} ${cause.stack ?? cause.message}`
  },
  afterAll: async function (this: Mocha.Context): Promise<void> {
    this.timeout(60_000)
    // Side by side, this is the end of one file: the process goes on with another, and the servers belong to the run.
    if (process.env['MOCHA_WORKER_ID'] !== undefined) {
      theirs = []
      await returnDatabases(databases())
      return
    }
    await stopServers()
    // The timer holds nothing open itself: it fires only where something else does.
    setTimeout(() => {
      process.stderr.write(`The tests are over, but something they opened is not closed: ${process.getActiveResourcesInfo().join(', ')}\n`)
      process.exit(1)
    }, graceMs).unref()
  },
}
