/** What a trail is asked with and what is answered, whatever the form. The place of a page: height the trail is of, branches of the first hop that were given, and hops that were. */
import { z } from 'zod'
import { chainOfAddress, fits, idOf, labelKey, plainAddress } from '../../../addresses.js'
import { addressField, storedField, chainOf, cursorField, limitField, millis, sinceField, untilField } from '../../../fields.js'
import { unfit } from '../../../faults.js'
import type { Ask } from '../../../operation.js'
import { statusOfAll } from '../../../reach.js'
import { storedChain } from '../../../span.js'
import { withUnlisted } from '../../../unlisted.js'
import { coin } from './bitcoin/hops.js'
import { traceBitcoin } from './bitcoin/traceBitcoin.js'
import { boundsOf } from './bounds.js'
import { trace } from './trace.js'

const Position = z.tuple([z.number().int().min(0), z.number().int().min(0), z.number().int().min(0)])
/** Hops away from the address asked about, over all continuations. */
const deepest = 10

export const trailFields = {
  address: addressField, chain: storedField.default('ETH'), direction: z.enum(['source', 'destination']).default('source').describe('Backwards or forwards'), hops: z.number().int().min(1).max(4).default(2).describe('How far'),
  token: z.string().regex(/^0x[0-9a-fA-F]{40}$/).optional().describe('Only this token'), since: sinceField, until: untilField,
  assume_complete: z.boolean().default(false).describe('As if all were indexed'), limit: limitField(100, 20).describe('Branches at each hop'), cursor: cursorField,
}
type TrailInput = z.infer<z.ZodObject<typeof trailFields>>

/** The trail that `input` asks for; trail is null where there is none; root is the address as steps have it, place names the continuation. next: more branches of the first hop; deeper: the hops after these, from where depth stopped branches. Cursors are those of `operation`. */
export const answerTrail = async (operation: string, input: TrailInput, ask: Ask) => {
  const [address, token] = [plainAddress(input.address), input.token?.toLowerCase()]
  const asked = chainOf(input.chain)
  const chain = chainOfAddress(asked, address)
  // A trail of all its coins would pass for one of that token.
  if (chain.id === 'BTC' && token !== undefined && token !== coin) throw unfit('token', `Bitcoin has no tokens but its coin, ${coin}: leave it out`)
  const { cursors } = ask.services
  const { hops: _hops, limit: _limit, cursor: _cursor, ...choice } = input
  const inputs = { ...choice, chain: chain.id, address, token }
  const [upto, skip, done] = input.cursor === undefined ? [undefined, 0, 0] as const : cursors.read(operation, inputs, input.cursor, Position)
  const stored = storedChain(chain)
  const wanted = { source: input.direction === 'source', since: millis(input.since), until: millis(input.until), limit: input.limit, assumeComplete: input.assume_complete, ...(upto === undefined ? {} : { upto }) }
  const [bounds, status] = await Promise.all([stored === null || !fits(address, stored, ask) ? null : boundsOf(stored, wanted, ask), statusOfAll(asked, chain, ask)])
  const reach = { hops: Math.min(deepest, done + input.hops), done, skip }
  const trail = bounds === null || stored === null ? null : stored === 'BTC' ? await traceBitcoin(idOf(address, stored), reach, bounds, ask) : await trace(address, token, reach, bounds, ask)
  const write = (more: boolean | undefined, position: readonly number[]): string | null => (bounds !== null && more === true ? cursors.write(operation, inputs, [bounds.upto, ...position]) : null)
  return {
    place: skip + done === 0 ? '' : `${skip}_${done}_`, chain, address, root: stored === null ? address : labelKey(address, stored), bounds, trail, status: trail === null ? status : await withUnlisted(status, chain.id, ask),
    next: write(trail?.more === true && done === 0, [skip + input.limit, 0]),
    deeper: write(trail?.steps.some(({ stopped_because: end }) => end === 'depth') === true && reach.hops < deepest, [skip, reach.hops]),
  }
}
