/** `npm run bench`: measures, prints ratios against limits taken in the same run, writes bench/RESULTS.md. */
import { parseArgs } from 'node:util'
import { benchBackfill } from './backfill.js'

const { values } = parseArgs({ options: { blocks: { type: 'string', default: '1280' } } })
const say = (text: string): void => { process.stdout.write(`${text}\n`) }
const result = await benchBackfill(Number(values.blocks), say)
say(JSON.stringify(result, null, 1))
say(`pipeline ${(result.blocks / result.seconds).toFixed(0)} blocks/s, ${(result.limitSeconds / result.seconds).toFixed(2)} of the bare limit`)
