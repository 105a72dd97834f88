import assert from 'node:assert/strict'
import { createClient } from '@clickhouse/client'
import { loadSql } from '../../schemas/sql.js'
import { freshStore } from '../support/servers.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

describe('chunks', () => {
  let service: Service
  before(async function () {
    this.timeout(90_000)
    service = await startService()
    await seed(service.store, 1_000, 30)
    await seed(service.store, 1_030, 1)
  })
  after(() => service.stop())

  it('come newest first, each with where it can be checked, nothing embedded', async () => {
    const { body } = await service.call('GET /v1/rag/chunks?limit=3')
    assert.deepEqual(body.chunks.map((chunk: any) => chunk.id), [`ETH:1030:whale_transfer:0:${'01'.repeat(8)}`, `ETH:1030:pool:1:${'02'.repeat(8)}`, `ETH:1029:whale_transfer:0:${'01'.repeat(8)}`])
    const [chunk] = body.chunks
    assert.deepEqual([chunk.chunk_id, chunk.text_preview, chunk.embedding_dim, chunk.tokens, chunk.cosine_score], ['01'.repeat(32), 'Something happened', null, null, null])
    assert.equal(chunk.provenance.block_hash, `0x${(1_030).toString(16).padStart(64, '0')}`)
    assert.ok(Date.now() - Date.parse(chunk.indexed_at) < 600_000)
    assert.equal((await service.call('GET /v1/rag/chunks?topic=mixer')).body._meta.empty.is_successful_empty, true)
    // A topic there never is any chunk of is no evidence.
    assert.deepEqual((await service.call('GET /v1/rag/chunks?topic=whales')).body._meta.empty, { is_successful_empty: false, empty_reason: 'unsupported_input' })
  })

  it('of one topic and position in a block, as of a transaction and of a log, have ids of their own', async () => {
    const { body } = await service.call('GET /v1/rag/chunks?limit=500')
    await service.store.execute("INSERT INTO chunks SELECT * REPLACE (unhex(repeat('0b', 32)) AS chunk_id) FROM chunks WHERE block_number = 1030 AND topic = 'whale_transfer'")
    const ids = (await service.call('GET /v1/rag/chunks?limit=499')).body.chunks.map((chunk: any) => chunk.id)
    await service.store.execute("DELETE FROM chunks WHERE chunk_id = unhex(repeat('0b', 32))")
    assert.deepEqual([ids.length, new Set(ids).size], [body.count + 1, body.count + 1])
  })

  it('are paged by cursor and by offset, every one once', async () => {
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await service.call(`GET /v1/rag/chunks?chain=eth&topic=pool&limit=7${cursor}`)
      seen.push(...body.chunks.map((chunk: any) => chunk.block_height))
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
      assert.equal(body.has_more, cursor !== '')
    } while (cursor !== '')
    assert.deepEqual(seen, Array.from({ length: 31 }, (_, at) => 1_030 - at))
    assert.deepEqual((await service.call('GET /v1/rag/chunks?topic=pool&limit=2&offset=5')).body.chunks.map((chunk: any) => chunk.block_height), [1_025, 1_024])
    const { next_cursor: next } = (await service.call('GET /v1/rag/chunks?limit=2')).body
    assert.equal((await service.call(`GET /v1/rag/chunks?topic=pool&cursor=${next}`)).body.detail.error, 'INVALID_CURSOR')
    assert.equal((await service.call(`GET /v1/rag/chunks?offset=1&cursor=${next}`)).status, 422)
    assert.equal((await service.call('GET /v1/rag/chunks?chain=DOGE')).body.detail.error, 'UNKNOWN_CHAIN')
    assert.deepEqual((await service.call('GET /v1/rag/chunks?chain=BTC')).body._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
  })

  it('are counted', async () => {
    const { body } = await service.call('GET /v1/rag/stats')
    assert.deepEqual([body.total_chunks, body.embedded_chunks, body.embedding_model], [62, 0, null])
    assert.deepEqual(body.topics.map((one: any) => [one.chain, one.topic, one.chunks, one.first_block, one.last_block]), [['ETH', 'pool', 31, 1_000, 1_030], ['ETH', 'whale_transfer', 31, 1_000, 1_030]])
  })

  it('behind all of a chain are none, and none is read for that', async function () {
    this.timeout(30_000)
    const { store, url, database } = await freshStore()
    await store.execute("INSERT INTO chunks (chain, block_number, topic, chunk_id, position, text) SELECT if(number < 50000, 'ETH', 'BTC'), number, 'whale_transfer', unhex(leftPad(hex(number), 64, '0')), 1, 'x' FROM numbers(60000)")
    const client = createClient({ url, database })
    const page = async (chain: string, topic: string, offset: number): Promise<readonly [number, number]> => {
      const params = { chain, topic, to_chain: '', to_block: '18446744073709551615', to_topic: '', to_position: 0, to_id: '', limit: 10, offset }
      const answer = await client.query({ query: loadSql(new URL('../../api/operations/rag/x', import.meta.url).href, 'listChunks.sql').text, query_params: params, format: 'JSON', clickhouse_settings: { wait_end_of_query: 1 } })
      const { rows } = await answer.json()
      return [rows ?? 0, Number((JSON.parse(String(answer.response_headers['x-clickhouse-summary'])) as { read_rows: string }).read_rows)]
    }
    try {
      assert.deepEqual([(await page('ETH', '', 49_998))[0], (await page('', '', 59_990))[0], (await page('', 'whale_transfer', 59_997))[0]], [2, 10, 3])
      for (const [chain, topic, offset] of [['ETH', '', 50_000], ['ETH', 'whale_transfer', 50_001], ['BTC', '', 10_000], ['', '', 60_000], ['HL', '', 0]] as const) {
        const [rows, read] = await page(chain, topic, offset)
        assert.ok(rows === 0 && read < 100, `${rows} rows, ${read} were read for ${offset} of ${chain} ${topic}`)
      }
    } finally { await client.close() }
  })
})
