/** XML that is read as it comes: a list of 120 MB is never in memory as a whole. */
import { SaxesParser } from 'saxes'
import { AppError } from '../../../../schemas/errors.js'
import { beginning } from '../../../../schemas/text.js'

/** path: names of the elements down to this one, with '/' between. text: what stands directly in it, trimmed. */
export interface XmlHandlers {
  open(path: string, attributes: Readonly<Record<string, string>>): void
  close(path: string, text: string): void
}

/** Longest text of one element: the longest statement of reasons has some thousands of letters. */
const mostText = 1_000_000
/** Bytes without a tag or a text that ends: the parser keeps what it is in the middle of. */
const mostPending = 4_000_000
const unread = (why: string): AppError => new AppError('LIST_UNREADABLE', `The XML cannot be read: ${why}`, { retry: 'never' })

/** Reads `bytes` to their end; throws LIST_UNREADABLE where they are no whole XML document in UTF-8. */
export const readXml = async (bytes: AsyncIterable<Buffer>, { open, close }: XmlHandlers): Promise<void> => {
  const parser = new SaxesParser()
  const paths: string[] = []
  const texts: string[] = []
  parser.on('error', (error) => { throw unread(beginning(error.message, 200)) })
  parser.on('doctype', () => { throw unread('it declares a document type') })
  let pending = 0
  for (const event of ['comment', 'processinginstruction'] as const) parser.on(event, () => { pending = 0 })
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0
    const path = paths.length === 0 ? name : `${paths.at(-1) ?? ''}/${name}`
    if (paths.length > 100) throw unread('its elements are nested too deep')
    paths.push(path)
    texts.push('')
    open(path, attributes)
  })
  const add = (text: string): void => {
    pending = 0
    const last = texts.length - 1
    if (last < 0) return
    texts[last] = (texts[last] ?? '') + text
    if ((texts[last] ?? '').length > mostText) throw unread('an element is too long')
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => { pending = 0; close(paths.pop() ?? '', (texts.pop() ?? '').trim()) })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (part: Uint8Array | null): string => { try { return part === null ? decoder.decode() : decoder.decode(part, { stream: true }) } catch { throw unread('it is not UTF-8') } }
  for await (const part of bytes) {
    pending += part.length
    parser.write(decode(part))
    if (pending > mostPending) throw unread('a tag or a text in it does not end')
  }
  parser.write(decode(null)).close()
}
