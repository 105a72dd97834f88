import { operation } from '../../operation.js'
import { Order, orderStage, stageInput } from './order.js'

export default operation({
  name: 'pause_stage', route: 'POST /v1/pipeline/stage/{name}/pause', auth: 'key', role: 'operator', lane: 'system', tool: false, writes: true,
  summary: 'Pauses one stage: its batches wait, the stages before it go on.',
  input: stageInput, output: Order, run: ({ name }, ask) => orderStage(ask, name, true),
})
