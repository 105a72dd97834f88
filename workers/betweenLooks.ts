/** The time between two looks at a node. */
import { messageOf } from '../schemas/errors.js'
import type { Source } from '../stages/stage.js'

/** Until it is time to look again, a node announces a block, or `ending` is aborted; looking is what counts, so a fault of the announcing is only told. */
export const pause = async (milliseconds: number, announced: Source['announced'], warn: (reason: string) => void, ending: AbortSignal): Promise<void> => {
  if (ending.aborted) return
  let timer: NodeJS.Timeout | undefined, end = (): void => undefined
  const time = new Promise<void>((resolve) => { end = resolve; timer = setTimeout(resolve, milliseconds) }), over = new AbortController()
  ending.addEventListener('abort', end)
  const told = announced?.(over.signal).catch((thrown: unknown) => { warn(messageOf(thrown)); return time })
  await (told === undefined ? time : Promise.race([time, told]))
  clearTimeout(timer)
  ending.removeEventListener('abort', end)
  // What is announced while a step is under way belongs to the next pause, not to this one.
  over.abort()
}
