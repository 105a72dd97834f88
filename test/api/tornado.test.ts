/** The first uses of a mixer's pool, as its recorded events tell them (test/fixtures/tornado-events): classes, alerts, intents, trails and exposure. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { alertStatements } from '../../stages/alert/statements.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { deriveLabels } from '../../stages/index/classes/deriveLabels.js'
import { indexStatements } from '../../stages/index/statements.js'
import { run, word } from '../enrich/handmade.js'
import { startService, type Service } from './support/service.js'
import { fillRegisters } from '../support/registered.js'

const pool = '0xd4b88df4d29f5cedd6857912842cff3b20c8cfa3', dai = '0x6b175474e89094c44da98b954eedeac495271d0f', relayer = `0x${'7e'.repeat(20)}`
const note = 100n * 10n ** 18n
const upto = 9_200_000
const Place = z.object({ blockNumber: z.number(), transactionHash: z.string() })
const Deposit = Place.extend({ commitment: z.string(), leafIndex: z.number(), timestamp: z.string() })
const Withdrawal = Place.extend({ nullifierHash: z.string(), to: z.string().toLowerCase(), fee: z.string().transform(BigInt) })
const read = <Row extends z.infer<typeof Place>>(name: string, row: z.ZodType<Row>): Row[] =>
  z.array(row).parse(JSON.parse(gunzipSync(readFileSync(new URL(`../fixtures/tornado-events/${name}.json.gz`, import.meta.url))).toString())).filter((one) => one.blockNumber <= upto)
const deposits = read('deposits_dai_100', Deposit), withdrawals = read('withdrawals_dai_100', Withdrawal)

/** Who stands in for a payer: a part of the commitment. */
const payerOf = ({ commitment }: z.infer<typeof Deposit>): string => `0x${commitment.slice(-40)}`
interface Told { readonly n: number; readonly tx: string; readonly sender: string; readonly topics: readonly [string, string]; readonly data: string; readonly moves: readonly (readonly [string, string, bigint])[] }
const padded = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`
const told: Told[] = [
  ...deposits.map((one) => ({ n: one.blockNumber, tx: one.transactionHash, sender: payerOf(one), topics: ['0xa945e51eec50ab98c161376f0db4cf2aeba3ec92755fe2fcd388bdbbb80ff196', one.commitment] as const,
    data: word(BigInt(one.leafIndex)) + word(BigInt(one.timestamp)).slice(2), moves: [[payerOf(one), pool, note]] as const })),
  ...withdrawals.map((one) => ({ n: one.blockNumber, tx: one.transactionHash, sender: relayer, topics: ['0xe9e508bad6d4c3227e881ca19068f099da81b5164dd6d62b2eaf1e8bc6c34931', padded(relayer)] as const,
    data: padded(one.to) + one.nullifierHash.slice(2) + word(one.fee).slice(2), moves: [[pool, one.to, note - one.fee], ...one.fee > 0n ? [[pool, relayer, one.fee] as const] : []] as const })),
].sort((a, b) => a.n - b.n)

const bare = (text: string): string => text.slice(2)
const put = async (service: Service): Promise<void> => {
  const rows = told.map((one, index) => [String(one.n), bare(one.tx), bare(one.sender), bare(one.topics[0]), bare(one.topics[1]), bare(one.data), String(index)])
  const common = "'ETH' AS chain, toUInt64(r[1]) AS block_number, unhex(leftPad(hex(block_number), 64, '0')) AS block_hash, toDateTime64(1576537959 + 13 * (toInt64(block_number) - 9117802), 3, 'UTC') AS block_time, toUInt32(r[7]) AS tx_index, unhex(r[2]) AS tx_hash"
  const from = 'FROM (SELECT arrayJoin({rows:Array(Array(String))}) AS r)'
  await service.store.execute(`INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete) SELECT DISTINCT chain, block_number, block_hash, block_time, true FROM (SELECT ${common} ${from})`, { rows })
  await service.store.execute(`INSERT INTO transactions (chain, block_number, block_hash, block_time, tx_index, tx_hash, from_address, status) SELECT ${common}, unhex(r[3]), 1 ${from}`, { rows })
  await service.store.execute(`INSERT INTO logs (chain, block_number, block_hash, block_time, tx_index, tx_hash, log_index, address, topic_count, topic0, topic1, data) SELECT ${common}, tx_index * 3 + 2, unhex({pool:String}), 2, unhex(r[4]), unhex(r[5]), unhex(r[6]) ${from}`, { rows, pool: bare(pool) })
  const moves = told.flatMap((one, index) => one.moves.map(([payer, payee, amount], sub) => [String(one.n), bare(one.tx), bare(payer), bare(payee), String(amount), String(index * 3 + sub), String(index)]))
  await service.store.execute(`INSERT INTO movements (chain, block_number, block_hash, block_time, tx_index, tx_hash, kind, position, token, from_address, to_address, amount) SELECT ${common}, 'erc20', toUInt32(r[6]), unhex({dai:String}), unhex(r[3]), unhex(r[4]), toUInt256(r[5]) ${from}`, { rows: moves, dai: bare(dai) })
}

describe('uses of a mixer that are recorded', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  before(async () => {
    service = await startService()
    await fillRegisters(service.store)
    await put(service)
    const heights = [told[0]?.n ?? 0, told.at(-1)?.n ?? 0] as const
    await run(service.store, [...enrichStatements, ...indexStatements, ...alertStatements], [heights])
  })
  after(() => service.stop())

  it('are there, in both directions', () => assert.ok(deposits.length > 10 && withdrawals.length > 5, `${deposits.length} and ${withdrawals.length}`))

  it('each is an alert: what entered, what left, and the relayer\'s fee', async () => {
    const rows = await service.store.query("SELECT concat(lower(hex(tx_hash)), ' ', lower(hex(from_address)), ' ', lower(hex(to_address)), ' ', toString(amount)) AS text FROM alerts WHERE rule = 'mixer_use' ORDER BY text", {}, z.object({ text: z.string() }))
    assert.deepEqual(rows.map(({ text }) => text), told.flatMap(({ tx, moves }) => moves.map(([payer, payee, amount]) => `${bare(tx)} ${bare(payer)} ${bare(payee)} ${amount}`)).sort())
  })

  it('each transaction was for the mixer', async () => {
    const { intents } = await get('dashboard/intents?limit=200')
    assert.deepEqual(intents.map(({ hash, intent }: any) => [hash, intent]).sort(), [...new Set(told.map(({ tx }) => tx))].map((tx) => [tx, 'mixer']).sort())
  })

  it('make the pool a mixer by a rule, too, with its deposits and withdrawals counted', async () => {
    await deriveLabels(service.store, 'ETH')
    const rows = await service.store.query("SELECT address, toString(category) AS category, evidence_rows AS rows, facts FROM derived_labels WHERE chain = 'ETH' AND rule = 'mixer_pool'", {}, z.object({ address: z.string(), category: z.string(), rows: z.coerce.number(), facts: z.record(z.string(), z.string()) }))
    assert.deepEqual(rows, [{ address: pool, category: 'mixer', rows: told.length, facts: { deposits: String(deposits.length), withdrawals: String(withdrawals.length) } }])
  })

  it('are where the money of one who withdrew comes from, and where a depositor\'s went', async () => {
    const [out] = withdrawals.filter((one) => withdrawals.filter(({ to }) => to === one.to).length === 1 && one.fee > 0n), [paid] = deposits
    assert.ok(out !== undefined && paid !== undefined)
    const source = (await get(`wallets/trail/${out.to}`)).trail
    assert.deepEqual(source.map((step: any) => [step.hop, step.from_address, step.classification, step.amount, step.haircut, step.tx_hash, step.stopped_because]), [[1, pool, 'mixer', String(note - out.fee), String(note - out.fee), out.transactionHash, 'mixer']])
    const went = (await get(`wallets/trail/${payerOf(paid)}?direction=destination`)).trail
    assert.deepEqual(went.map((step: any) => [step.to_address, step.entity, step.amount, step.stopped_because]), [[pool, 'tornado', String(note), 'mixer']])
    const report = await get(`wallets/compliance/${out.to}`)
    assert.deepEqual(report.exposure.map((one: any) => [one.direction, one.kind, one.classification, one.share, one.confidence, one.paths.map((each: any) => each.addresses)]), [['source', 'direct', 'mixer', 1, 100, [[out.to, pool]]]])
    // 100 · 0.7 of all it has.
    assert.deepEqual([report.breakdown.mixer.score, report.breakdown.volume.score, report.counterparty_risk.exposures.map((one: any) => [one.classification, one.transfers_in])], [70, 70, [['mixer', 1]]])
    assert.ok(Math.abs(report.counterparty_risk.exposures[0].usd_in - Number(note - out.fee) / 1e18) < 1e-6)
  })

  it('leave in the pool what was put in and not taken out', async () => {
    const [held] = await service.store.query("SELECT toString(sum(if(direction = 'in', toInt256(amount), -toInt256(amount)))) AS held FROM address_transfers WHERE chain = 'ETH' AND address = unhex({pool:String}) AND token = unhex({dai:String})", { pool: bare(pool), dai: bare(dai) }, z.object({ held: z.string() }))
    assert.equal(held?.held, String(note * BigInt(deposits.length - withdrawals.length)))
  })
})
