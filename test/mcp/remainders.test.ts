/** Lists without pages that are cut to the size an agent can read: the calls they name give every row, once, and none passes for an empty list. */
import assert from 'node:assert/strict'
import { account, hashOf } from '../api/support/handmade.js'
import { putLists } from '../api/support/sanctions.js'
import { startService, type Service } from '../api/support/service.js'
import { message, post, session } from './support/client.js'

const tx = hashOf(7)
const listed = account('a')
/** Tool, its arguments, and the list that is too long. */
const cases = [
  ['list_hops', { tx_hash: tx }, 'hops', 30], ['get_labels', { chain: 'ETH', address: listed }, 'statements', 41], ['screen_abuse', { address: listed }, 'reports', 40], ['screen_address', { address: listed }, 'matches', 30],
  ['get_hl_positions', { top_n: 20 }, 'positions', 20], ['get_hl_suspects', { min_return: 2 }, 'suspects', 40],
] as const

describe('what is left out of a list without pages', function () {
  this.timeout(120_000)
  let service: Service
  let open: Record<string, string>
  const call = async (name: string, args: object, tokens: number): Promise<any> => (await post(`${service.api.url}/mcp?max_tokens=${tokens}`, open, message('tools/call', { name, arguments: args }))).body.result
  before(async () => {
    service = await startService()
    const { store } = service
    await store.execute(`INSERT INTO swaps SELECT 'ETH', 7, number, unhex('${tx.slice(2)}'), toDateTime64(1700000084, 3), 0, unhex('${tx.slice(2)}'), 'uniswap_v2', false, unhex(leftPad(hex(number), 64, '0')), true,
      unhex(repeat('01', 20)), unhex(repeat('01', 20)), unhex(repeat('01', 20)), unhex(repeat('02', 20)), true, 'S', 18, number + 1, unhex(repeat('03', 20)), true, 'B', 18, 1, NULL, '', '', 0 FROM numbers(30)`)
    await store.insert('labels', Array.from({ length: 41 }, (_, at) => (
      { chain: 'ETH', address: listed, label: `What source ${at} says of it`, entity: '', category: at === 40 ? 'fund' : 'scam', source: `source${at}`, rule: 'a list', confidence: 50 + at, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 })))
    await putLists(store, { OFAC_SDN: Array.from({ length: 30 }, (_, at) => ({ address: listed, id: String(100 + at), name: `Designated ${at}` })), UK_HMT: [], IL_NBCTF: [] })
    await store.execute(`INSERT INTO hl_newest_accounts SELECT 'HL', unhex(repeat(leftPad(hex(number), 2, '0'), 20)), '', now64(3), 5, 5 FROM numbers(1, 40)`)
    await store.execute(`INSERT INTO hl_newest_positions SELECT 'HL', a.account, '', 'BTC', a.time, 2, 100, 200 + reinterpretAsUInt8(substring(a.account, 1, 1)), 1, 50, 20, 'cross', 5 FROM hl_newest_accounts AS a`)
    await store.execute(`INSERT INTO hl_traders (chain, account, judged_at, last_at, suspicion, metrics, evidence, taken, top_coin, version)
      SELECT 'HL', unhex(repeat(leftPad(hex(number), 2, '0'), 20)), now64(3), now64(3), 90 - number / 10, map('put_in_usd', 1000, 'put_in_year_usd', 1000, 'top_coin_share', 1), [('early', 50, 'Opened before others')], [(now64(3) - INTERVAL 1 DAY, now64(3) - INTERVAL 1 HOUR, true, 5000)], 'BTC', 1 FROM numbers(1, 40)`)
    open = await session(`${service.api.url}/mcp`, service.agentKey)
  })
  after(() => service.stop())

  for (const [name, args, list, many] of cases) {
    it(`${name} is asked for by the next call`, async () => {
      const { structuredContent: whole } = await call(name, args, 20_000)
      assert.deepEqual([whole[list].length, whole._meta.truncated], [many, undefined])
      const rows: unknown[] = []
      let calls = 0
      for (let asked: object | undefined = args; asked !== undefined; calls += 1) {
        const { structuredContent: part }: any = await call(name, asked, 2_000)
        rows.push(...part[list])
        assert.equal(part.count ?? part[list].length, part[list].length)
        assert.equal(part.has_more ?? false, part.has_more !== undefined && part._meta.truncated?.next !== undefined && part._meta.truncated.next !== null)
        assert.ok(calls < 60)
        asked = part._meta.truncated?.next?.arguments
      }
      assert.deepEqual([rows, calls > 1], [whole[list], true])
    })

    it(`${name} refuses to pass over all of it`, async () => {
      const { isError, content: [{ text }] } = await call(name, { ...args, offset: many + 60 }, 2_000)
      const { error } = JSON.parse(text)
      assert.deepEqual([isError, error.code, error.details[0].loc], [true, 'VALIDATION_ERROR', ['arguments', 'offset']])
    })
  }
})
