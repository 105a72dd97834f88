/** A worker that dies between two statements: SIGKILL to itself with a seeded probability at every checkpoint. */
import { pino } from 'pino'
import { parseConfig } from '../../schemas/config.js'
import { stageNames } from '../../schemas/primitives.js'
import { startWorkers } from '../../workers/start.js'
import { seeded } from './random.js'

const leave = (): void => { process.kill(process.pid, 'SIGKILL') }
// It may have been left behind while it was loaded.
if (process.connected === false) leave()
process.once('disconnect', leave)
const { SIMULATE_SEED = '1', SIMULATE_KILL = '0', ...environment } = process.env
const random = seeded(Number(SIMULATE_SEED))
const config = parseConfig(environment)
const checkpoint = async (): Promise<void> => { if (random.chance(Number(SIMULATE_KILL))) process.kill(process.pid, 'SIGKILL') }
const running = await startWorkers(config, stageNames, pino({ level: config.LOG_LEVEL }), checkpoint)
process.on('SIGTERM', () => { running.drain().then(() => { process.exit(0) }, () => { process.exit(1) }) })
