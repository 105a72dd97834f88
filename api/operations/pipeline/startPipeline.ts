import { operation } from '../../operation.js'
import { noInput, Order, order } from './order.js'

export default operation({
  name: 'start_pipeline', route: 'POST /v1/pipeline/start', auth: 'key', role: 'operator', lane: 'system', tool: false, writes: true,
  summary: 'Starts the pipeline: every stage takes up work that is not paused on its own.',
  input: noInput, output: Order, run: (_input, ask) => order(ask, 'running'),
})
