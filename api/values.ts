/** Strings of a URL → values, by the JSON Schema type of the field. What does not fit stays a string, so that parsing names it. */
import { z } from 'zod'
import type { Operation } from './operation.js'

/** `expected`: what it holds, in the words of an error. `description`: what it is. */
export interface Field { readonly type: string; readonly format: string; readonly expected: string; readonly description: string }

const typeOf = (schema: z.core.JSONSchema.BaseSchema): string => (typeof schema.type === 'string' ? schema.type : '')

const kinds: Readonly<Record<string, string>> = { integer: 'a whole number', number: 'a number', boolean: 'true or false', array: 'a list', object: 'an object', string: 'text' }
/** Bounds that only say what a number can be are none. */
const expectedOf = (schema: z.core.JSONSchema.BaseSchema): string => {
  const least = schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER ? ` from ${schema.minimum}` : ''
  const most = schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER ? `${least === '' ? ' up' : ''} to ${schema.maximum}` : least === '' ? '' : ' on'
  return `${kinds[typeOf(schema)] ?? 'a value'}${least}${most}`
}

/** Whether a field is a time: JSON Schema has no format for one that may be without an offset. */
const isTime = (schema: unknown): boolean => (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? isTime(schema.unwrap()) : schema instanceof z.ZodISODateTime)

const known = new WeakMap<Operation, ReadonlyMap<string, Field>>()

/** Name → type of every input field; throws where an input is not flat or a field has no description. */
export const fieldsOf = (operation: Operation): ReadonlyMap<string, Field> => {
  const before = known.get(operation)
  if (before !== undefined) return before
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })
  const fields = new Map<string, Field>()
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (typeof field === 'boolean' || Array.isArray(field.type) || field.anyOf !== undefined || field.oneOf !== undefined || field.allOf !== undefined) throw new Error(`${operation.name}: ${name} is a union; inputs are flat`)
    if (field.description === undefined || field.description === '') throw new Error(`${operation.name}: ${name} has no description`)
    fields.set(name, { type: typeOf(field), format: isTime(operation.input.shape[name]) ? 'date-time' : field.format ?? '', expected: expectedOf(field), description: field.description })
  }
  known.set(operation, fields)
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
