/** The thread documents are drawn in: half a second of work for one would hold up every other caller. */
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../../../schemas/errors.js'
import type { Drawn, Order } from './renderer.js'
import { renderReport } from './render.js'

parentPort?.on('message', ({ id, report, verified }: Order) => {
  const answer = (drawn: Drawn): void => { parentPort?.postMessage(drawn) }
  renderReport(report, verified).then((bytes) => { answer({ id, bytes }) }, (thrown: unknown) => { answer({ id, failed: messageOf(thrown) }) })
})
