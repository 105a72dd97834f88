/** What the document of a report says of a risk that is not known whole. */
import assert from 'node:assert/strict'
import { renderReport } from '../../api/operations/verify/pdf/render.js'
import { readPdf } from './support/pdf.js'

const attestation = { signature: '', ed25519: { signature: '', public_key: '' }, seal: '', key_id: '', signed_at: '2026-01-02T03:04:05.000Z' }

describe('the document of a report', () => {
  const printed = async (conclusion: object): Promise<{ text: string }> => {
    const canonical = JSON.stringify({
      kind: 'compliance', subject: { chain: 'BTC', address: 'x' }, conclusion: { status: 'INCONCLUSIVE', sanctions_status: 'UNKNOWN', match_count: 0, risk_score: null, risk_level: null, unknown: [], ...conclusion }, eval_baseline: { rules: { score: { severe: 90, high: 60 } }, sha256: '' },
    })
    const bytes = await renderReport({ content_hash: 'ab'.repeat(32), kind: 'compliance', subject: 'x', chain: 'BTC', canonical, attestation: attestation as any, created_at: '' }, true)
    return { text: readPdf(bytes).pages.join('').replace(/\s+/g, ' ') }
  }

  it('says what a risk is at least, where the whole is not known', async () => {
    const { text } = await printed({ risk_at_least: 95 })
    assert.ok(text.includes('at least 95') && !text.includes('UNKNOWN unknown is not low'), text)
    assert.ok((await printed({ risk_at_least: 95, risk_score: 97, risk_level: 'severe' })).text.includes('97 / 100'))
  })

  it('says that it is unknown where nothing is known, and in older reports, which do not say', async () => {
    for (const conclusion of [{}, { risk_at_least: 0 }]) assert.ok((await printed(conclusion)).text.includes('UNKNOWN unknown is not low'))
  })
})
