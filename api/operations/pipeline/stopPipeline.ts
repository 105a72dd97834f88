import { operation } from '../../operation.js'
import { noInput, Order, order } from './order.js'

export default operation({
  name: 'stop_pipeline', route: 'POST /v1/pipeline/stop', auth: 'key', role: 'operator', lane: 'system', tool: false, writes: true,
  summary: 'Stops the pipeline: batches under way end, nothing new begins until start.',
  input: noInput, output: Order, run: (_input, ask) => order(ask, 'stopped'),
})
