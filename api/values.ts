/** Strings of a URL → values, by the JSON Schema type of the field. What does not fit stays a string, so that parsing names it. */
import { z } from 'zod'
import type { Operation } from './operation.js'

export interface Field { readonly type: string; readonly format: string }

const typeOf = (schema: z.core.JSONSchema.BaseSchema): string => (typeof schema.type === 'string' ? schema.type : '')

/** Name → type of every input field; throws where an input is not flat or a field has no description. */
export const fieldsOf = (operation: Operation): ReadonlyMap<string, Field> => {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })
  const fields = new Map<string, Field>()
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (typeof field === 'boolean' || Array.isArray(field.type) || field.anyOf !== undefined || field.oneOf !== undefined || field.allOf !== undefined) throw new Error(`${operation.name}: ${name} is a union; inputs are flat`)
    if (field.description === undefined || field.description === '') throw new Error(`${operation.name}: ${name} has no description`)
    fields.set(name, { type: typeOf(field), format: field.format ?? '' })
  }
  return fields
}

const converters: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (/^-?\d{1,20}$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

/** `text` as the field wants it. A space before a zone offset was a plus sign before somebody forgot to escape it. */
export const convert = (field: Field | undefined, text: string): unknown => {
  if (field?.format === 'date-time') return text.replace(/ (\d\d:?\d\d)$/, '+$1')
  return (converters[field?.type ?? ''] ?? ((same: string) => same))(text)
}
