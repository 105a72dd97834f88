/** `npm run simulate -- --seeds 10 --from 1 --blocks 60`: seeded runs under faults; exit code 1 when a digest differs. */
import { giveUp, parseOptions, wholeOption } from '../../schemas/command.js'
import { messageOf } from '../../schemas/errors.js'
import { endOnSignals, openStarted } from '../started.js'
import { runPrefix, simulate } from './run.js'

const options = () => {
  const { values } = parseOptions('npm run simulate [-- --seeds 5 --from 1 --blocks 60]', { seeds: { type: 'string', default: '5' }, from: { type: 'string', default: '1' }, blocks: { type: 'string', default: '60' } })
  return { seeds: wholeOption('seeds', values.seeds, 1), from: wholeOption('from', values.from), blocks: wholeOption('blocks', values.blocks, 1) }
}
const { seeds, from, blocks } = (() => { try { return options() } catch (thrown) { return giveUp(thrown) } })()
const running = openStarted(runPrefix)
const signalled = endOnSignals(running, (text) => { process.stdout.write(`${text}\n`) })
let failed = 0
for (let seed = from; seed < from + seeds; seed += 1) {
  const started = Date.now()
  try {
    const result = await simulate(seed, blocks, running)
    const differing = result.faulty.parts.filter((part, index) => part.digest !== result.clean.parts[index]?.digest)
    if (!result.equal) failed += 1
    process.stdout.write(`seed ${seed}: ${result.equal ? 'equal' : 'DIFFERENT'} ${result.faulty.digest.slice(0, 16)} · ${result.blocks} blocks, ${result.steps} steps, ${result.reorgs} reorgs (${result.rollbacks} rollbacks), ${result.deaths} workers killed, ${result.faults} bad answers, ${result.disasters.join('+') || 'no disasters'} · ${Math.round((Date.now() - started) / 1_000)} s\n`)
    for (const part of differing) process.stdout.write(`  ${part.table}: ${part.rows} rows after faults, ${result.clean.parts.find((other) => other.table === part.table)?.rows ?? 0} without\n`)
  } catch (thrown) {
    // It fails because its servers were ended.
    if (signalled()) await new Promise(() => undefined)
    failed += 1
    process.stdout.write(`seed ${seed}: FAILED: ${messageOf(thrown)}\n`)
  }
}
process.stdout.write(`${seeds - failed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
