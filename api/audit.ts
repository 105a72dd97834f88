/** The audit log: one synced line for every write by a caller, and for every one that was refused to a key. */
import { keyPrefix, withoutKeys } from './keyFormat.js'
import type { Ask } from './operation.js'

/** Members of an input that stay between the caller and the table they are for. */
const personal: ReadonlySet<string> = new Set(['email', 'tagpack', 'url', 'addresses'])

/** The key that came out of a write, by its public id. */
const madeBy = (output: unknown): string | undefined => {
  const { public_id: id, api_key: key } = (output ?? {}) as { public_id?: string; api_key?: string }
  return id ?? key?.slice(keyPrefix.length, keyPrefix.length + 8)
}

export interface AuditLine { readonly at: string; readonly actor: string; readonly role: string; readonly action: string; readonly subject: string; readonly detail: string; readonly request_id: string; readonly outcome: string }

/** Who did `action` with which input and how it ended. Of a key, in the input or made now, only the public id is written. */
export const auditLine = (ask: Ask, action: string, input: Record<string, unknown>, outcome: string, output?: unknown): AuditLine => {
  const subject = [madeBy(output), ...['key_id', 'tag_id', 'event_id', 'list_id', 'webhook_id', 'target', 'name', 'id', 'chain'].map((field) => input[field])].find((value) => value !== undefined)
  return {
    at: new Date().toISOString(), actor: ask.principal.keyId ?? `ip:${ask.principal.ip}`, role: ask.principal.role, action,
    subject: subject === undefined ? '' : String(subject), detail: withoutKeys(JSON.stringify(input, (field, value: unknown) => (personal.has(field) ? undefined : value))), request_id: ask.requestId, outcome,
  }
}

/** Writes a line down. */
export const writeAudit = (ask: Ask, line: AuditLine): Promise<void> => ask.writer.insert('audit', [line])

/** Writes the line of that down. */
export const audit = (...of: Parameters<typeof auditLine>): Promise<void> => writeAudit(of[0], auditLine(...of))
