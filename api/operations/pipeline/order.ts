/** Orders to the whole pipeline or to one stage, and their answer: an object of strings. */
import { z } from 'zod'
import { messageOf } from '../../../schemas/errors.js'
import { stageNames } from '../../../schemas/primitives.js'
import type { Ask } from '../../operation.js'

export const noInput = z.object({})
export const stageInput = z.object({ name: z.enum(stageNames).describe('Stage: ingest, normalize, enrich, index or alert') })
export const Order = z.object({ status: z.string().describe('What was asked for: running, paused or stopped'), subject: z.string(), changed_by: z.string() })

const by = (ask: Ask): string => ask.principal.keyId ?? ask.principal.name

/** Who is answered that it is ordered reads nothing any more that says otherwise. It is ordered whether or not that can be read. */
const seen = async ({ services, log }: Ask): Promise<void> => {
  await services.coverage.anew().catch((thrown: unknown) => { log.warn({ reason: messageOf(thrown) }, 'the ledger was not read anew after an order') })
}

/** Sets the state of the whole. */
export const order = async (ask: Ask, state: 'running' | 'paused' | 'stopped'): Promise<z.infer<typeof Order>> => {
  await ask.services.pipeline.set(state, by(ask))
  await seen(ask)
  return { status: state, subject: 'pipeline', changed_by: by(ask) }
}

/** Pauses or resumes one stage. */
export const orderStage = async (ask: Ask, name: (typeof stageNames)[number], paused: boolean): Promise<z.infer<typeof Order>> => {
  await ask.services.pipeline.setStage(name, paused, by(ask))
  await seen(ask)
  return { status: paused ? 'paused' : 'running', subject: `stage:${name}`, changed_by: by(ask) }
}
