/** A bare list has no place for what an object says in its members: over REST that goes in headers, in a tool's answer beside the rows. */
import type { CoverageStatus } from './coverage.js'
import type { Empty, Meta } from './empty.js'
import type { Page } from './pages.js'

/** What a list says of itself. `empty` is in `_meta` too, where the operation names sources. */
export interface Beside { readonly page?: Page; readonly coverage_status?: CoverageStatus; readonly _meta?: Meta; readonly empty?: Empty }

/** Headers are ASCII. */
const json = (value: unknown): string => JSON.stringify(value).replace(/[^ -~]/g, '?')

/** The headers that say it. */
export const headersOf = ({ page, coverage_status: status, _meta: meta, empty }: Beside): Record<string, string> => ({
  ...(status === undefined ? {} : { 'X-Coverage-Status': json(status) }),
  ...(meta === undefined ? {} : { 'X-Sources': json(meta.sources), 'X-Tool-Version': meta.tool_version }),
  ...(empty === undefined ? {} : { 'X-Empty-Reason': empty.empty_reason, 'X-Successful-Empty': String(empty.is_successful_empty) }),
  ...(page === undefined ? {} : { 'X-Has-More': String(page.has_more), ...(page.next_cursor === null ? {} : { 'X-Next-Cursor': page.next_cursor }), ...(page.window === undefined ? {} : { 'X-Window': json(page.window) }) }),
})

/** The members of a tool's answer that say it. */
export const membersOf = ({ page, coverage_status: status, _meta: meta, empty }: Beside): Record<string, unknown> => ({
  ...page, ...(status === undefined ? {} : { coverage_status: status }), ...(meta === undefined ? {} : { _meta: meta }), ...empty,
})
