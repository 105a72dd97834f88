/** The audit log: one synced line for every write by a caller. */
import type { Ask } from './operation.js'

/** Writes who did `action` with which input and how it ended; the input never holds a key. */
export const audit = (ask: Ask, action: string, input: Record<string, unknown>, outcome: string): Promise<void> => {
  const subject = ['key_id', 'name', 'id', 'chain'].map((field) => input[field]).find((value) => value !== undefined)
  return ask.writer.insert('audit', [{
    at: new Date().toISOString(), actor: ask.principal.keyId ?? `ip:${ask.principal.ip}`, role: ask.principal.role, action,
    subject: subject === undefined ? '' : String(subject), detail: JSON.stringify(input), request_id: ask.requestId, outcome,
  }])
}
