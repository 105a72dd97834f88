/** Mocha root hooks: the shared servers end with the run, and a run that holds something open fails with words instead of hanging. */
import { stopServers } from './servers.js'

const graceMs = 20_000

export const mochaHooks = {
  afterAll: async function (this: Mocha.Context): Promise<void> {
    this.timeout(30_000)
    await stopServers()
    // The timer holds nothing open itself: it fires only where something else does.
    setTimeout(() => {
      process.stderr.write(`The tests are over, but something they opened is not closed: ${process.getActiveResourcesInfo().join(', ')}\n`)
      process.exit(1)
    }, graceMs).unref()
  },
}
