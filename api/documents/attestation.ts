/** What runs here: the commit, the schema, the versions, and the public keys by which signatures of this installation are checked. */
import { buildOf } from '../build.js'
import type { Document } from './document.js'

/** With the 2 s that keys are remembered for, a rotation is seen by everybody within 5 s, whatever is between. */
const attestation: Document = {
  name: 'attestation', path: '/attestation', type: 'application/json; charset=utf-8', cacheSeconds: 1, summary: 'Which build answers: commit, schema head, versions, public keys.',
  text: async ({ parts, baseUrl }) => JSON.stringify({ service: 'hydrophone', ...buildOf(parts.config), public_keys: await parts.services.attestation.shown(), verify: `${baseUrl}/v1/verify` }),
}
export default attestation
