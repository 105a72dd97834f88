/** `npm run simulate -- --seeds 10 --from 1 --blocks 60`: seeded runs under faults; exit code 1 when a digest differs. */
import { parseArgs } from 'node:util'
import { messageOf } from '../../schemas/errors.js'
import { simulate } from './run.js'

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '5' }, from: { type: 'string', default: '1' }, blocks: { type: 'string', default: '60' } } })
let failed = 0
for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed += 1) {
  const started = Date.now()
  try {
    const result = await simulate(seed, Number(values.blocks))
    const differing = result.faulty.parts.filter((part, index) => part.digest !== result.clean.parts[index]?.digest)
    if (!result.equal) failed += 1
    process.stdout.write(`seed ${seed}: ${result.equal ? 'equal' : 'DIFFERENT'} ${result.faulty.digest.slice(0, 16)} · ${result.blocks} blocks, ${result.steps} steps, ${result.reorgs} reorgs, ${result.deaths} workers killed, ${result.faults} bad answers, ${result.disasters.join('+') || 'no disasters'} · ${Math.round((Date.now() - started) / 1_000)} s\n`)
    for (const part of differing) process.stdout.write(`  ${part.table}: ${part.rows} rows after faults, ${result.clean.parts.find((other) => other.table === part.table)?.rows ?? 0} without\n`)
  } catch (thrown) {
    failed += 1
    process.stdout.write(`seed ${seed}: FAILED: ${messageOf(thrown)}\n`)
  }
}
process.stdout.write(`${Number(values.seeds) - failed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
