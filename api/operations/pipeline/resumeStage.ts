import { operation } from '../../operation.js'
import { Order, orderStage, stageInput } from './order.js'

export default operation({
  name: 'resume_stage', route: 'POST /v1/pipeline/stage/{name}/resume', auth: 'key', role: 'operator', lane: 'system', tool: false, writes: true,
  summary: 'Resumes one stage.',
  input: stageInput, output: Order, run: ({ name }, ask) => orderStage(ask, name, false),
})
