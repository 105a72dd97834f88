import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { confidenceLevels, rules } from '../../../workers/labels.js'
import { operation } from '../../operation.js'

const listClasses = loadSql(import.meta.url, 'listClasses.sql')
const Rule = z.object({ id: z.string(), version: z.number().int(), classification: z.string(), confidence_level: z.string(), says: z.string() })
const Class = z.object({ classification: z.string(), by_rules: z.array(z.string()).describe('Rules that give it; none: only registers, imports and your own labels do'), addresses: z.number().int().describe('That registers and imports name') })
/** Classes that questions ask for: listed although nobody may be named so. No rule gives them, for nothing on the chain tells them from others. */
const asked = ['bridge', 'fund'] as const

export default operation({
  name: 'list_label_rules', route: 'GET /v1/labels/rules', auth: 'key', lane: 'forensic', tool: false, cacheSeconds: 3_600,
  summary: 'The rules that derive classes of addresses, the classes and who gives them, and the scale of confidence.',
  input: z.object({}), output: z.object({ rules: z.array(Rule), classes: z.array(Class), confidence_levels: z.array(z.object({ level: z.string(), score: z.number().int() })) }),
  run: async (_input, ask) => {
    const named = new Map((await ask.store.query(listClasses, {}, Class.omit({ by_rules: true }))).map(({ classification, addresses }) => [classification, addresses]))
    const all = [...new Set([...named.keys(), ...rules.map(({ classification }) => classification), ...asked])].sort()
    return {
      rules: rules.map(({ id, version, classification, level, says }) => ({ id, version, classification, confidence_level: level, says })),
      classes: all.map((classification) => ({ classification, by_rules: rules.filter((rule) => rule.classification === classification).map(({ id }) => id), addresses: named.get(classification) ?? 0 })),
      confidence_levels: Object.entries(confidenceLevels).map(([level, score]) => ({ level, score })),
    }
  },
})
