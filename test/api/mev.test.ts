import assert from 'node:assert/strict'
import { z } from 'zod'
import { Find, Leg } from '../../api/operations/mev/find.js'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

const heights = [12914944, 17000000, 17053184]
const Page = z.looseObject({ count: z.number(), mev: z.array(Find), next_cursor: z.string().nullable(), has_more: z.boolean(), _meta: z.looseObject({ empty: z.looseObject({ empty_reason: z.string() }).optional() }).optional() })
const One = z.looseObject({ has_more: z.boolean(), finds: z.array(Find.omit({ legs: true }).extend({ legs: z.array(Leg) })) })
const Board = z.looseObject({ searchers: z.array(z.looseObject({ searcher: z.string(), finds: z.number(), sandwiches: z.number(), profit_usd: z.number().nullable(), builder_unknown: z.number() })) })

describe('questions about extracted value', function () {
  this.timeout(180_000)
  let service: Service
  before(async () => { service = await startService(); await fillRecorded(service.store, heights) })
  after(() => service.stop())
  const ask = async <Row>(path: string, row: z.ZodType<Row>): Promise<Row> => {
    const response = await fetch(`${service.api.url}${path}`)
    assert.equal(response.status, 200, await response.clone().text())
    return row.parse(await response.json())
  }

  it('lists finds newest first, page by page, each once', async () => {
    const whole = await ask('/v1/mev?limit=100', Page)
    assert.deepEqual(whole.mev.map((find) => find.block_number), [17053184, 17000000, 12914944, 12914944, 12914944])
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: z.infer<typeof Page> = await ask(`/v1/mev?limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`, Page)
      seen.push(...page.mev.map((find) => find.id))
      cursor = page.next_cursor
    }
    assert.deepEqual(seen, whole.mev.map((find) => find.id))
  })

  it('narrows by kind, searcher, pool and blocks', async () => {
    assert.equal((await ask('/v1/mev?kind=arbitrage', Page)).count, 2)
    assert.equal((await ask('/v1/mev?searcher=0x6b75D8AF000000e20B7a7DDf000Ba900b4009A80', Page)).mev[0]?.profit_amount, '21983022503039222')
    assert.equal((await ask('/v1/mev?pool=0xc0d776e2223c9a2ad13433dab7ec08cb9c5e76ae', Page)).mev[0]?.block_number, 17053184)
    assert.equal((await ask('/v1/mev?from_block=13000000&to_block=17000000', Page)).count, 1)
    const none = await ask('/v1/mev?kind=jit', Page)
    assert.deepEqual([none.count, none._meta?.empty === undefined], [0, false])
  })

  it('tells a find by its id, and a transaction by its hash, with every leg', async () => {
    const victim = '0x65474abb'
    const [find] = (await ask('/v1/mev?from_block=17053184', Page)).mev
    assert.ok(find !== undefined)
    const told = await ask(`/v1/mev/finds/${find.id}`, One)
    assert.deepEqual(told.finds[0]?.legs.map((leg) => leg.role), ['front', 'victim', 'back'])
    const leg = told.finds[0]?.legs[1]
    assert.ok(leg !== undefined && leg.tx_hash.startsWith(victim))
    assert.equal(leg.loss, '9501671056957469')
    assert.deepEqual((await ask(`/v1/mev/finds/${leg.tx_hash}`, One)).finds, told.finds)
    assert.deepEqual((await ask(`/v1/mev/finds/0x${'ab'.repeat(32)}`, One)).finds, [])
    assert.equal(told.has_more, false)
    await service.store.execute(`INSERT INTO mev SELECT * REPLACE (toFixedString(unhex(leftPad(hex(number), 64, '0')), 32) AS mev_id, [toFixedString(unhex(repeat('cd', 32)), 32)] AS tx_hashes, 1 AS block_number) EXCEPT number
      FROM (SELECT m.*, n.number AS number FROM mev AS m CROSS JOIN numbers(21) AS n WHERE m.mev_id = unhex({id:String}))`, { id: find.id.slice(2) })
    const many = await ask(`/v1/mev/finds/0x${'cd'.repeat(32)}`, One)
    assert.deepEqual([many.finds.length, many.has_more], [20, true])
    await service.store.execute('ALTER TABLE mev DELETE WHERE block_number = 1 SETTINGS mutations_sync = 1')
    assert.equal((await fetch(`${service.api.url}/v1/mev/finds/0x12`)).status, 422)
  })

  it('ranks searchers by what they kept, within the days before the newest block', async () => {
    const { searchers } = await ask('/v1/mev/searchers?days=90', Board)
    assert.deepEqual(searchers.map(({ searcher, sandwiches, builder_unknown }) => [searcher.slice(0, 10), sandwiches, builder_unknown]), [['0x00000000', 1, 0], ['0x6b75d8af', 1, 0]])
    assert.ok((searchers[0]?.profit_usd ?? 0) > 0)
  })

  it('says what of a searcher has no price', async () => {
    const { searchers } = await ask('/v1/mev/searchers?days=90', z.looseObject({ searchers: z.array(z.looseObject({ gross_usd: z.unknown(), profit_usd: z.unknown(), victim_loss_usd: z.unknown(), unpriced: z.number(), losses_unpriced: z.number(), victims: z.number() })) }))
    assert.deepEqual(searchers.map(({ gross_usd: gross, profit_usd: profit, victim_loss_usd: lost, ...row }) => [typeof gross, typeof profit, lost === null, row.unpriced, row.losses_unpriced, row.victims]), [['number', 'number', false, 0, 0, 1], ['object', 'object', true, 1, 1, 1]])
  })

  it('ranks searchers whose finds tell absurd sums, of either sign and as many as they like', async () => {
    await service.store.execute(`INSERT INTO mev SELECT * REPLACE (SHA256(concat('absurd', toString(number))) AS mev_id, toFixedString(if(number < 400, 'gains', 'loses'), 20) AS searcher, if(number < 400, 1e300, -1e300) AS gross_usd,
      toNullable(toFloat64(1e300)) AS victim_loss_usd, 17053184 AS block_number, toNullable(toFloat64(0)) AS gas_usd, toNullable(toFloat64(0)) AS builder_usd, 2 AS victims, 1 AS losses_known) EXCEPT number
      FROM (SELECT m.*, n.number AS number FROM (SELECT * FROM mev WHERE block_number = 17000000 LIMIT 1) AS m CROSS JOIN numbers(800) AS n)`)
    const Row = z.looseObject({ searcher: z.string(), gross_usd: z.number().nullable(), profit_usd: z.number().nullable() })
    const first = await ask('/v1/mev/searchers?days=90&limit=1', z.looseObject({ searchers: z.array(Row), next_cursor: z.string() }))
    const rest = await ask(`/v1/mev/searchers?days=90&limit=100&cursor=${encodeURIComponent(first.next_cursor)}`, z.looseObject({ searchers: z.array(Row) }))
    const told = [...first.searchers, ...rest.searchers].map(({ searcher, gross_usd: gross, profit_usd: profit }) => [Buffer.from(searcher.slice(2), 'hex').toString().replaceAll('\0', ''), gross, profit])
    await service.store.execute("ALTER TABLE mev DELETE WHERE searcher IN (toFixedString('gains', 20), toFixedString('loses', 20)) SETTINGS mutations_sync = 1")
    assert.equal(told.length, 4)
    assert.deepEqual([told[0], told[3]], [['gains', 4e26, 4e26], ['loses', -4e26, -4e26]])
  })
})
