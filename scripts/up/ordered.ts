/** What an operator ordered before this start and nobody took back: it is in the store, so it outlives everything else. */
import type { PipelineControl } from '../../workers/control.js'

const going = { paused: 'resume', stopped: 'start' } as const

/** A line of what stands still by order and how it goes on; null where all runs. */
export const standingStill = async (control: Pick<PipelineControl, 'state' | 'stages'>, url: string): Promise<string | null> => {
  const say = (what: string, path: string): string => `${what} by order: what comes waits and nothing is lost. To go on: curl -X POST -H 'X-API-Key: (the admin key)' '${url}/v1/pipeline/${path}'`
  const state = await control.state()
  if (state !== 'running') return say(`The pipeline is ${state}`, going[state])
  const paused = (await control.stages()).filter(({ status }) => status !== 'running').map(({ stage }) => stage)
  return paused.length === 0 ? null : say(`${paused.join(' and ')} ${paused.length === 1 ? 'is' : 'are'} paused`, `stage/${paused[0] ?? ''}/resume`)
}
