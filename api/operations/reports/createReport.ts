import { z } from 'zod'
import { Json } from '../../../schemas/attest/canonical.js'
import { signReport, wholeOf } from '../../../schemas/attest/signedReport.js'
import { Instant } from '../../../schemas/primitives.js'
import { chainOfAddress, plainAddress } from '../../addresses.js'
import { usedUp } from '../../faults.js'
import { addressField, chainField, chainOf } from '../../fields.js'
import { operation } from '../../operation.js'
import { composeReport } from './compose.js'
import { Links, linksOf } from './links.js'

/** Reports of one account in a day. */
const mostPerDay = 1_000

export default operation({
  name: 'create_report', route: 'POST /v1/reports', auth: 'key', tier: 'compliance', lane: 'compliance', tool: false, writes: true, status: 201, personal: ['address'],
  summary: `A signed compliance report on an address: findings, evidence, lists, blocks, build, with HMAC-SHA256 and Ed25519. It stays yours; its hash lets anyone verify it. ${mostPerDay} a day.`,
  input: z.object({ address: addressField, chain: chainField.default('ETH') }),
  output: z.object({ content_hash: z.string(), kind: z.string(), subject: z.string(), chain: z.string(), created_at: Instant, report: z.record(z.string(), z.unknown()).describe('As it was signed, with its attestation'), links: Links }),
  run: async (input, ask) => {
    const { writer, principal, services, baseUrl } = ask
    const address = plainAddress(input.address)
    const chain = chainOfAddress(chainOf(input.chain), address)
    const counted = await services.limits.take('new_report', principal.quota, mostPerDay, 86_400)
    if (!counted.allowed) throw usedUp(counted, `${mostPerDay} reports a day is the most`)
    const report = await composeReport(input.address, chain, ask)
    const now = Date.now()
    const signed = signReport(report, await services.attestation.signer(), now)
    const { content_hash: hash, canonical, attestation } = signed
    const row = { content_hash: hash, owner: principal.owner, kind: 'compliance', subject: address, chain: chain.id, canonical, attestation: JSON.stringify(attestation), created_at: new Date(now).toISOString() }
    await writer.insertSurely('reports', [row], `report|${hash}`, async () => (await writer.query('SELECT content_hash FROM reports WHERE content_hash = {hash:String} LIMIT 1', { hash }, Json)).length > 0)
    return { content_hash: hash, kind: row.kind, subject: address, chain: chain.id, created_at: row.created_at, report: wholeOf(signed), links: linksOf(hash, baseUrl) }
  },
})
