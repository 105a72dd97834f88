/** A document: what is served for reading, made from the registries and never written by hand. */
import type { Parts } from '../context.js'
import type { Operation } from '../operation.js'

/** What a document is made from. */
export interface View {
  readonly operations: readonly Operation[]
  readonly documents: readonly Document[]
  readonly parts: Pick<Parts, 'config' | 'store' | 'log' | 'services'>
  /** Without a trailing slash. */
  readonly baseUrl: string
}

export interface Document {
  /** snake_case; the metric label and the operationId. */
  readonly name: string
  readonly path: `/${string}`
  /** Media type, charset included where it is text. */
  readonly type: string
  readonly summary: string
  /** Seconds anybody may keep it; also how long the service keeps the text it made. */
  readonly cacheSeconds: number
  /** Policy of a page that is more than data; default: nothing is loaded or run. */
  readonly policy?: string
  /** true: a part of another document (a script), left out of listings. */
  readonly part?: boolean
  /** true: its text is the same under every base URL, and is made and kept once for all of them. */
  readonly anywhere?: boolean
  text(view: View): string | Promise<string>
}
