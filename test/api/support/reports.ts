/** Signed reports of tests, made without asking anybody. */
import { reportFormat, signReport, type Signed } from '../../../schemas/attest/signedReport.js'
import type { Service } from './service.js'

/** Signs `report` with the newest key of `service` and keeps it; `instead` replaces columns of the row. */
export const keepReport = async (service: Service, report: object, instead: object = {}, at = Date.UTC(2026, 0, 2, 3, 4, 5, 678)): Promise<Signed> => {
  const signed = signReport({ format: reportFormat, kind: 'compliance', subject: { chain: 'ETH', address: `0x${'01'.repeat(20)}` }, ...report }, await service.api.parts.services.attestation.signer(), at)
  const { content_hash, canonical, attestation } = signed
  await service.store.insert('reports', [{ content_hash, owner: 'somebody', kind: 'compliance', subject: `0x${'01'.repeat(20)}`, chain: 'ETH', canonical, attestation: JSON.stringify(attestation), created_at: new Date(at).toISOString(), ...instead }])
  return signed
}
