import { z } from 'zod'
import { notFound } from '../../faults.js'
import { operation } from '../../operation.js'
import { readTags, writeTag } from './tag.js'

export default operation({
  name: 'delete_tag', route: 'DELETE /v1/tags/{tag_id}', auth: 'key', lane: 'system', tool: false, writes: true, status: 204,
  summary: 'Takes a tag of yours away. A second time there is none: 404.',
  input: z.object({ tag_id: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('tag_id of the tag') }), output: z.null(),
  run: async ({ tag_id: id }, ask) => {
    const [tag] = await readTags(ask, { id })
    // Somebody else's tag, one that is gone and none at all look the same.
    if (tag === undefined || tag.deleted) throw notFound('Tag')
    await writeTag(ask, { ...tag, deleted: true, version: tag.version + 1 })
    return null
  },
})
