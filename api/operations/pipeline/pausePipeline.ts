import { operation } from '../../operation.js'
import { noInput, Order, order } from './order.js'

export default operation({
  name: 'pause_pipeline', route: 'POST /v1/pipeline/pause', auth: 'key', role: 'operator', lane: 'system', tool: false, writes: true,
  summary: 'Pauses the pipeline: what waits stays waiting, and nothing new is planned until it is resumed.',
  input: noInput, output: Order, run: (_input, ask) => order(ask, 'paused'),
})
