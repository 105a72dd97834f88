/** An agent of the ERC-8004 identity registry as the API gives it. Its texts are its owner's, from the chain and from a file outside of it. */
import { z } from 'zod'
import { Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { untrusted } from '../../untrusted.js'

const File = z.object({
  status: z.enum(['ok', 'refused', 'unsupported', 'failed', 'too_large', 'invalid', 'not_read']).describe('not_read: nobody has looked yet; others than ok: there is no file'),
  fetched_at: Instant.nullable(), sha256: z.string().nullable(),
})
export const Agent = z.object({
  chain: z.string(), agent_id: Amount.describe('Token id in the registry'), registry: z.string().describe('CAIP-10 of the identity registry'), owner: EvmAddress.nullable(), wallet: EvmAddress.nullable().describe('Set by the registry; null: none'),
  uri: z.string().describe('Untrusted; where the registration file is said to be'), name: z.string().nullable().describe('Untrusted, from the file'), description: z.string().nullable(),
  services: z.array(z.object({ name: z.string(), endpoint: z.string(), version: z.string() })).describe('Untrusted: what the file claims, not checked'),
  x402_support: z.boolean().nullable(), active: z.boolean().nullable(), supported_trust: z.array(z.string()),
  registered_at: Instant.nullable().describe('null: before the blocks indexed here'), registered_block: z.number().int().nullable(), registered_tx: Hash.nullable(), updated_at: Instant,
  feedback: z.object({ count: z.number().int(), revoked: z.number().int(), clients: z.number().int() }), file: File,
})

/** Sort position of an agent: block and log in which it was first seen. */
export const Position = z.tuple([z.number().int(), z.number().int()])

export const registryOf = 'eip155:1:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432'

const Row = Agent.omit({ registry: true, feedback: true, file: true }).extend({
  file_status: z.string(), fetched_at: Instant.nullable(), sha256: z.string().nullable(), given: z.number().int(), revoked: z.number().int(), clients: z.number().int(), at: Position,
})
export const AgentRow = Row.transform(({ file_status: status, fetched_at: fetched, sha256, given, revoked, clients, at, ...agent }) => ({
  at,
  agent: {
    ...agent, registry: registryOf, uri: untrusted(agent.uri, 300), name: agent.name === null ? null : untrusted(agent.name, 100), description: agent.description === null ? null : untrusted(agent.description, 1_000),
    services: agent.services.map((one) => ({ name: untrusted(one.name), endpoint: untrusted(one.endpoint, 300), version: untrusted(one.version) })), supported_trust: agent.supported_trust.map((one) => untrusted(one)),
    feedback: { count: given, revoked, clients }, file: { status: File.shape.status.catch('failed').parse(status), fetched_at: fetched, sha256 },
  },
}))
