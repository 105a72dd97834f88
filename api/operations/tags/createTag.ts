import { createHash } from 'node:crypto'
import { z } from 'zod'
import { chainOfAddress, plainAddress } from '../../addresses.js'
import { chainField, chainOf } from '../../fields.js'
import { invalid } from '../../faults.js'
import { operation } from '../../operation.js'
import { untrusted } from '../../untrusted.js'
import { eventIdField, labelLength, mostTags, noteLength, ownerOf, ownWords, readTags, Tag, tagView, writeTag } from './tag.js'

/** The same tag of the same key has the same id, so that writing it twice makes one. Below 2^52: a JSON number. */
const idOf = (parts: readonly string[]): number => Number(createHash('sha256').update(JSON.stringify(parts)).digest().readBigUInt64BE() >> 12n) || 1

export default operation({
  name: 'create_tag', route: 'POST /v1/tags', auth: 'key', lane: 'system', tool: false, writes: true, status: 201, foreign: ownWords, personal: ['label', 'note', 'address'],
  summary: `Writes a label on an event and, with address and chain, on that address. Only your key sees it; the same tag again changes its note. At most ${mostTags} tags a key.`,
  input: z.object({
    event_id: eventIdField, label: z.string().min(1).max(labelLength).describe(`What you call it, 1 to ${labelLength} characters`),
    note: z.string().max(noteLength).default('').describe(`Anything more, at most ${noteLength} characters`),
    chain: chainField.optional(), address: z.string().regex(/^[A-Za-z0-9:_.-]{1,128}$/).optional().describe('Address the label is about; needs chain'),
  }),
  output: Tag,
  run: async (input, ask) => {
    const address = input.address === undefined ? null : plainAddress(input.address)
    const asked = input.chain === undefined ? null : chainOf(input.chain)
    const chain = asked === null ? null : address === null ? asked.id : chainOfAddress(asked, address).id
    if (address !== null && chain === null) throw invalid([{ type: 'missing', loc: ['body', 'chain'], msg: 'An address needs its chain' }])
    const label = untrusted(input.label, labelLength)
    if (label === '') throw invalid([{ type: 'too_small', loc: ['body', 'label'], msg: 'The label has no character that can be seen' }])
    const id = idOf([ownerOf(ask), input.event_id, label, chain ?? '', address ?? ''])
    const [standing, [before]] = await Promise.all([readTags(ask), readTags(ask, { id })])
    if (before?.deleted !== false && standing.length >= mostTags) throw invalid([{ type: 'too_many', loc: ['body'], msg: `A key has at most ${mostTags} tags: delete some first` }])
    const row = {
      tag_id: id, event_id: input.event_id, label, note: untrusted(input.note, noteLength), chain, address,
      created_at: before?.deleted === false ? before.created_at : new Date().toISOString(), deleted: false, version: (before?.version ?? 0) + 1,
    }
    await writeTag(ask, row)
    return tagView(row)
  },
})
