/** Schemas as short as an agent can still use them: a list of tools is read into every conversation. OpenAPI has them in full. */
import { z } from 'zod'

type Schema = Record<string, unknown>

/** Fields that many answers have: the server's instructions describe them once. */
const common = new Set(['coverage_status', '_meta', 'next_cursor', 'has_more', 'count', 'window'])
/** Lengths up to here are plain text fields' own, not worth a word. */
const usualLength = 64

const slimInput = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  if (jsonSchema.format !== undefined || String(jsonSchema.pattern ?? '').length > 60) delete jsonSchema.pattern
  if (jsonSchema.minLength === 1) delete jsonSchema.minLength
  if ((jsonSchema.maxLength ?? 0) >= usualLength) delete jsonSchema.maxLength
  if (Number(jsonSchema.maximum) >= 1e12) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

const plain = (schema: z.ZodType, io: 'input' | 'output', override: typeof slimInput): Schema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override }) as Schema
  return rest
}

const typesOf = (schema: Schema): unknown => {
  const choices = schema['anyOf'] as readonly Schema[] | undefined
  return choices === undefined ? schema['type'] : [...new Set(choices.flatMap(({ type }) => type ?? []))]
}
const arm = (schema: Schema, type: string): Schema | undefined => [schema, ...(schema['anyOf'] as readonly Schema[] | undefined ?? [])].find((one) => one['type'] === type)
const namesOf = (schema: Schema | undefined): Schema => {
  const names = Object.keys(schema?.['properties'] as Schema | undefined ?? {})
  return names.length === 0 ? {} : { description: names.join(', ') }
}

/** One field of an answer: its type; of rows and objects, the names of their fields. */
const fieldOf = (schema: Schema): Schema => {
  const type = typesOf(schema)
  const rows = arm(schema, 'array')?.['items'] as Schema | undefined
  return {
    ...(type === undefined ? {} : { type }), ...namesOf(arm(schema, 'object')),
    ...(rows?.['type'] === 'object' ? { items: { type: 'object', ...namesOf(rows) } } : {}),
  }
}

/** What a tool takes, with every field's type, default, bounds and meaning. */
export const inputOf = (schema: z.ZodObject): Schema => plain(schema.strict(), 'input', slimInput)

/** What a tool answers: the types of its fields, and the names within its rows; what only says again what was `asked` is left out. */
export const outlineOf = (schema: z.ZodObject, asked: ReadonlySet<string>): Schema => {
  const fields = plain(schema, 'output', () => undefined)['properties'] as Readonly<Record<string, Schema>>
  return { type: 'object', properties: Object.fromEntries(Object.entries(fields).filter(([name, { type }]) => !common.has(name) && !(asked.has(name) && type !== 'array' && type !== 'object')).map(([name, field]) => [name, fieldOf(field)])) }
}
