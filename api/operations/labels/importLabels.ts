import { z } from 'zod'
import { importTagPack } from '../../../workers/labels.js'
import { operation } from '../../operation.js'

export default operation({
  name: 'import_labels', route: 'POST /v1/labels/import', auth: 'key', role: 'admin', lane: 'system', tool: false, writes: true, status: 201,
  summary: 'Imports a TagPack (YAML): the pack under a name replaces the one before it under that name; one without tags takes its labels away. A pack that is wrong is refused whole, with its problems.',
  input: z.object({ name: z.string().regex(/^[a-z0-9-]{1,40}$/).describe('Name of the source, kept as import:name'), tagpack: z.string().min(1).max(1_000_000).describe('The pack, as YAML') }),
  output: z.object({ source: z.string(), title: z.string(), sha256: z.string(), labels: z.number().int(), unchanged: z.boolean() }),
  run: ({ name, tagpack }, ask) => importTagPack(ask.writer, name, tagpack),
})
