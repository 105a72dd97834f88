/** Mocha root hooks: the shared servers end with the run. */
import { stopServers } from './servers.js'

export const mochaHooks = { afterAll: async function (this: Mocha.Context): Promise<void> { this.timeout(30_000); await stopServers() } }
