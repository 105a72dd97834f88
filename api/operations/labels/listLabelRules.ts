import { z } from 'zod'
import { confidenceLevels, rules } from '../../../workers/labels.js'
import { operation } from '../../operation.js'

const Rule = z.object({ id: z.string(), version: z.number().int(), classification: z.string(), confidence_level: z.string(), says: z.string() })

export default operation({
  name: 'list_label_rules', route: 'GET /v1/labels/rules', auth: 'key', lane: 'forensic', tool: false, cacheSeconds: 3_600,
  summary: 'The rules that derive classes of addresses, and the scale of confidence.',
  input: z.object({}), output: z.object({ rules: z.array(Rule), confidence_levels: z.array(z.object({ level: z.string(), score: z.number().int() })) }),
  run: () => Promise.resolve({
    rules: rules.map(({ id, version, classification, level, says }) => ({ id, version, classification, confidence_level: level, says })),
    confidence_levels: Object.entries(confidenceLevels).map(([level, score]) => ({ level, score })),
  }),
})
