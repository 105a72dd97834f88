/** Loads sanctions lists: from where they are published, or from the bundled copies. */
import { createHash, type Hash } from 'node:crypto'
import type { Store } from '../../../../schemas/clickhouse.js'
import { messageOf } from '../../../../schemas/errors.js'
import { openOutbound, type Outbound } from '../../../../schemas/outbound.js'
import { annexesOf } from './annexes.js'
import { designationsOf } from './designation.js'
import { il } from './il.js'
import { jp } from './jp.js'
import { bundledBytes, type SanctionsList } from './list.js'
import { ofac } from './ofac.js'
import { finishList, inForceOf, refusedUnwritten, storeFailure, storeList, type InForceRow, type Origin, type Stored } from './storeList.js'
import { uk } from './uk.js'
import { beginning } from '../../../../schemas/text.js'

export const sanctionsLists: readonly SanctionsList[] = [ofac, uk, il, jp]

const hashed = async function* (bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const part of bytes) { hash.update(part); yield part }
}

export type OpenOutbound = (bounds: { readonly bytes: number; readonly milliseconds: number }) => Outbound

interface LoadOptions { readonly shrunk?: boolean; readonly open?: OpenOutbound }

const overtaken = (thrown: unknown): boolean => (thrown as { code?: unknown }).code === 'LIST_OVERTAKEN'

/** One look at a list's official address. Throws LIST_OVERTAKEN, and what the store does, or this process lacks. */
const lookOnce = async (store: Store, list: SanctionsList, { shrunk = false, open = openOutbound }: LoadOptions): Promise<Stored> => {
  const { official } = list
  const askedAfter = (await inForceOf(store, list.register))?.version ?? 0
  const outbound = open({ bytes: official.bytes, milliseconds: official.milliseconds })
  const hash = createHash('sha256')
  let origin: Origin = { source: official.url, sha256: '', currentAt: new Date(), aggregator: official.aggregator, shrunk, askedAfter }
  try {
    const { source, bytes, publishedAt } = await official.open(outbound)
    origin = { ...origin, source }
    const annexes = list.ordersIn === undefined ? [] : await annexesOf(store, list.register)
    const read = await official.read(hashed(bytes, hash), annexes)
    // A version is all that was read: the same page with another annex is another one.
    for (const annex of annexes) hash.update(annex)
    return await storeList(store, list, { ...read, publishedAt: read.publishedAt ?? publishedAt ?? null }, { ...origin, sha256: hash.digest('hex') })
  } catch (thrown) {
    const code = (thrown as { code?: unknown }).code
    if (overtaken(thrown) || (typeof code === 'string' && /^(STORE|PROCESS)_/.test(code))) throw thrown
    return await storeFailure(store, list, origin, beginning(messageOf(thrown), 300))
  } finally {
    await outbound.close().catch(() => undefined)
  }
}

/** Looks in one attempt, where others load the same list at the same time. */
const mostLooks = 3

/** Asks a list's official address and takes over what comes. Never rejects for what the list or the network does: that is told in the result and in sanctions_loads. One that others overtook at every look is told in the result alone: what they brought is in force and newer. */
export const loadOfficial = async (store: Store, list: SanctionsList, options: LoadOptions = {}): Promise<Stored> => {
  for (let left = mostLooks; ; left -= 1) {
    try { return await lookOnce(store, list, options) } catch (thrown) {
      if (!overtaken(thrown)) throw thrown
      if (left === 1) return refusedUnwritten(list.register, messageOf(thrown))
    }
  }
}

/** Loads a list's bundled copy where it is newer than the one in force, or is that one and is read otherwise now; null: neither, and what that one lacks of being told is written. */
export const loadBundled = async (store: Store, list: SanctionsList): Promise<Stored | null> => {
  const { bundled } = list
  const current = await inForceOf(store, list.register)
  const held = current !== null && (current.published_on === null || current.published_on >= bundled.publishedAt) ? current : null
  const finish = async (row: InForceRow, anew = false): Promise<null> => { await finishList(store, list, row, anew); return null }
  if (held !== null && !(bundled.anew === true && held.source === 'bundled' && held.published_on === bundled.publishedAt)) return finish(held)
  const hash = createHash('sha256')
  const read = await bundled.read(hashed(bundledBytes(bundled.file), hash))
  if (held !== null && held.content === designationsOf(read.listings).content) return finish(held, true)
  const origin = { source: 'bundled', sha256: hash.digest('hex'), currentAt: new Date(`${bundled.publishedAt}T00:00:00Z`), aggregator: bundled.aggregator, askedAfter: current?.version ?? 0 }
  try {
    return await storeList(store, list, { ...read, publishedAt: read.publishedAt ?? bundled.publishedAt }, origin)
  } catch (thrown) {
    // A list from its address came into force meanwhile.
    if (overtaken(thrown)) return null
    throw thrown
  }
}

/** Loads the bundled copies that are newer than what is in force. */
export const loadBundledLists = async (store: Store): Promise<readonly Stored[]> => {
  const done: Stored[] = []
  for (const list of sanctionsLists) { const stored = await loadBundled(store, list); if (stored !== null) done.push(stored) }
  return done
}
