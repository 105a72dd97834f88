import { operation } from '../../operation.js'
import { noInput, Order, order } from './order.js'

export default operation({
  name: 'resume_pipeline', route: 'POST /v1/pipeline/resume', auth: 'key', role: 'operator', lane: 'system', tool: false, writes: true,
  summary: 'Resumes a paused pipeline.',
  input: noInput, output: Order, run: (_input, ask) => order(ask, 'running'),
})
