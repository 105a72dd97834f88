import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'
import { readTags, Tag, tagView } from './tag.js'

const Label = Tag.extend({ chain: z.string(), address: z.string() })

export default operation({
  name: 'list_address_labels', route: 'GET /v1/tags/labels', auth: 'key', lane: 'system', tool: true, sources: ['tags'], rows: 'labels',
  summary: 'The labels your key wrote on addresses, newest first: your words, not the registers\'.',
  input: z.object({}), output: z.object({ count: z.number().int(), labels: z.array(Label) }),
  empty: () => emptyBecause('no_signal'),
  run: async (_input, ask) => {
    const labels = (await readTags(ask)).filter(({ deleted }) => !deleted).map(tagView).flatMap(({ chain, address, ...tag }) => (chain === null || address === null ? [] : [{ ...tag, chain, address }]))
    return { count: labels.length, labels }
  },
})
