import { unavailable } from '../../schemas/errors.js'
import type { Middleware } from '../context.js'

/** Answers 503 when an operation has not answered after `milliseconds`. */
export const timeouts = (milliseconds: number): Middleware => async (_ctx, next) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => { timer = setTimeout(() => { reject(unavailable('operation', new Error(`no answer within ${milliseconds} ms`))) }, milliseconds) })
  try {
    await Promise.race([next(), late])
  } finally {
    clearTimeout(timer)
  }
}
