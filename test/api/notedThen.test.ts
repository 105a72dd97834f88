/** When a run over the labels began, by which it is known what it could note. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { freshStore } from '../support/servers.js'

describe('what a run over the labels could note', () => {
  it('is what was there when it began, however often it said afterwards that it is alive', async () => {
    const { store } = await freshStore(), noted = loadSql(new URL('../../api/operations/labels/getLabels.ts', import.meta.url).href, 'notedThen.sql')
    const minute = (n: number): string => new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString()
    const run = (step: string, n: number) => ({ chain: 'ETH', version: 1, step, attempt: 1, writer: 'w', height: 0, epoch: 0, basis: '', changes: 0, at: minute(n) })
    const load = (register: string, n: number) => store.insert('register_loads', [{ register, version: '1', sha256: register, rows: 1, labels_version: 1, loaded_at: minute(n) }])
    const at = async (n: number) => (await store.query(noted, { at: Date.parse(minute(n)) }, z.object({ noted: z.coerce.boolean() })))[0]?.noted
    await load('early', 0)
    for (const [step, n] of [['begun', 1], ['begun', 6], ['landed', 20]] as const) await store.insert('label_runs', [run(step, n)])
    assert.deepEqual([await at(10), await at(30)], [false, true], 'it had not landed, then it had')
    await load('late', 3)
    assert.deepEqual([await at(2), await at(30)], [false, false], 'what came while it ran it may have passed over')
  })
})
