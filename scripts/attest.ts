/** Keys this installation attests with: lists them (`npm run attest`), or makes a new one that signs from now on (`npm run attest -- --rotate`). */
import { openAttestation, type PublicKey } from '../schemas/attest/keys.js'
import { openStore } from '../schemas/clickhouse.js'
import { command, parseOptions } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'

const line = ({ key_id: id, algorithm, created_at: from, retired_at: until }: PublicKey): string => `${id}  ${algorithm}  from ${from}  ${until === null ? 'signs now' : `until ${until}, verifies for ever`}\n`

await command(async () => {
  const { values } = parseOptions('npm run attest [-- --rotate]', { rotate: { type: 'boolean', default: false } })
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints that of its embedded server.')
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const attestation = await openAttestation(store)
  if (values.rotate) {
    const made = await attestation.rotate()
    await store.insert('audit', [{ at: new Date().toISOString(), actor: 'command line', role: 'operator', action: 'rotate_attestation_key', subject: made.key_id, detail: '{}', request_id: '', outcome: 'ok' }])
  }
  for (const key of await attestation.published()) process.stdout.write(line(key))
  return 0
})
