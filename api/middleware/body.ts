/** JSON bodies, and nothing else: at most 1 MiB, at most 32 levels deep. */
import { AppError } from '../../schemas/errors.js'
import type { Context } from '../context.js'
import { callerGone, invalid } from '../faults.js'

const mostBytes = 1024 * 1024
const mostLevels = 32

const tooLarge = (most: number): AppError => new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${most} bytes`, { status: 413 })

/** Levels of a JSON text, counted without parsing it. */
const levelsOf = (text: string): number => {
  let level = 0
  let deepest = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 34) quoted = !quoted
    else if (quoted) { if (code === 92) index++ }
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++level)
    else if (code === 93 || code === 125) level--
  }
  return deepest
}

const readBytes = async (ctx: Context, most: number): Promise<Buffer> => {
  if (Number(ctx.get('Content-Length') || 0) > most) throw tooLarge(most)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw tooLarge(most)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The parsed body; undefined when there is none. Throws 413, 415 or 422 with the reason. */
export const readJson = async (ctx: Context, most = mostBytes): Promise<unknown> => {
  if (ctx.get('Content-Encoding') !== '' && ctx.get('Content-Encoding') !== 'identity') throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding', { status: 415 })
  const bytes = await readBytes(ctx, most).catch((thrown: unknown) => {
    // What is left of a body nobody reads would be taken for the next request.
    ctx.set('Connection', 'close')
    // A body that stops half way is its sender's doing and no failure of ours.
    throw thrown instanceof AppError ? thrown : callerGone()
  })
  if (bytes.length === 0) return undefined
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(ctx.get('Content-Type'))) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send JSON with Content-Type: application/json', { status: 415 })
  const text = bytes.toString('utf8')
  if (levelsOf(text) > mostLevels) throw invalid([{ type: 'json_too_deep', loc: ['body'], msg: `The body nests deeper than ${mostLevels} levels` }])
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalid([{ type: 'json_invalid', loc: ['body'], msg: 'The body is not valid JSON' }])
  }
}
