/** Rows as the pipeline would have left them: blocks first…last with two transactions, three movements, two swap legs and two chunks each. */
import type { Store } from '../../../schemas/clickhouse.js'

const facts = [
  `INSERT INTO blocks SELECT 'ETH', number, unhex(leftPad(lower(hex(number)), 64, '0')), unhex(leftPad(lower(hex(number - 1)), 64, '0')), {start:DateTime64(3)} + toIntervalSecond(12 * (number - {first:UInt64})),
    unhex(repeat('aa', 20)), 15000000, 30000000, 7000000000, 0, 90000, 'geth', 2, 5, 0, NULL, NULL, {traced:Bool}, 0 FROM numbers({first:UInt64}, {count:UInt64})`,
  `INSERT INTO transactions SELECT 'ETH', number, i, unhex(leftPad(lower(hex(number)), 64, '0')), now64(3), unhex(concat(leftPad(lower(hex(number)), 62, '0'), lower(hex(toUInt8(i))))), 2, unhex(repeat('01', 20)), unhex(repeat('02', 20)),
    false, unhex(repeat('00', 20)), toUInt256('1000000000000000000000'), 1, 21000, 21000, 8000000000, NULL, NULL, NULL, NULL, toUInt8(i = 0), unhex('00000000'), 0, 0 FROM numbers({first:UInt64}, {count:UInt64}) ARRAY JOIN [0, 1] AS i`,
  `INSERT INTO transfers SELECT 'ETH', number, k, p, 0, unhex(leftPad(lower(hex(number)), 64, '0')), {start:DateTime64(3)} + toIntervalSecond(12 * (number - {first:UInt64})), 0, unhex(concat(leftPad(lower(hex(number)), 62, '0'), '00')),
    unhex(repeat('00', 20)), concat('ETH', unhex('e2808b')), 18, unhex(repeat('01', 20)), unhex(repeat('02', 20)), toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935'), 0,
    usd, 'vwap', 'Exchange: hot', 'Exchange', 'exchange', '', '', 'unknown', 0
    FROM numbers({first:UInt64}, {count:UInt64}) ARRAY JOIN ['native', 'erc20', 'wrap'] AS k, [0, 7, 9] AS p, [2000000., 150000., 9000000.] AS usd`,
  `INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation)
    SELECT 'ETH', unhex(repeat('00', 20)), number, {start:DateTime64(3)} + toIntervalSecond(12 * (number - {first:UInt64})), unhex(leftPad(lower(hex(number)), 64, '0')), 2000, 'vwap', 1, 100000, 0 FROM numbers({first:UInt64}, {count:UInt64})`,
  `INSERT INTO swaps SELECT 'ETH', number, i, unhex(leftPad(lower(hex(number)), 64, '0')), {start:DateTime64(3)} + toIntervalSecond(12 * (number - {first:UInt64})), 0, unhex(concat(leftPad(lower(hex(number)), 62, '0'), '00')), 'uniswap_v2', false,
    unhex(repeat('0c', 32)), true, unhex(repeat('01', 20)), unhex(repeat('01', 20)), unhex(repeat('01', 20)), unhex(repeat('00', 20)), i = 3, 'ETH', 18, 5, unhex(repeat('05', 20)), true, 'TKN', NULL, 6, 25000., 'vwap', 'sold', 0
    FROM numbers({first:UInt64}, {count:UInt64}) ARRAY JOIN [3, 4] AS i`,
  `INSERT INTO chunks SELECT 'ETH', number, if(i = 0, 'whale_transfer', 'pool'), unhex(repeat(lower(hex(toUInt8(i + 1))), 32)), unhex(leftPad(lower(hex(number)), 64, '0')), {start:DateTime64(3)} + toIntervalSecond(12 * (number - {first:UInt64})),
    unhex(concat(leftPad(lower(hex(number)), 62, '0'), '00')), i, concat('Something ', unhex('e280ae'), 'happened'), if(i = 0, 2000000., NULL), [], 0 FROM numbers({first:UInt64}, {count:UInt64}) ARRAY JOIN [0, 1] AS i`,
  `INSERT INTO plans SELECT 'ETH', {first:UInt64}, 'plan', {first:UInt64}, {first:UInt64} + {count:UInt64} - 1, 'x', '', 0, 't', {first:UInt64}, 'w', now64(3)`,
  `INSERT INTO batches SELECT 'ETH', stage, {first:UInt64}, {first:UInt64} + {count:UInt64} - 1, 'x', 0, 1, 1, 40, 'node', now64(3) FROM (SELECT arrayJoin(['ingest', 'normalize', 'enrich', 'index', 'alert']) AS stage)`,
]

/** Seeds blocks [first, first + count), the first at `start`; `traced` false: no movements inside transactions are known. */
export const seed = async (store: Store, first: number, count: number, start = new Date(Date.now() - 12_000 * count), traced = true): Promise<void> => {
  for (const statement of facts) await store.execute(statement, { first, count, start: start.toISOString().replace('Z', '').replace('T', ' '), traced })
}

/** What the node says the head is. */
export const seedHead = (store: Store, number: number): Promise<void> =>
  store.insert('heads', [{ chain: 'ETH', number, hash: 'x', block_time: new Date().toISOString(), finalized: Math.max(0, number - 64), endpoint: 'node', observed_at: new Date().toISOString() }])

/** A range somebody wants. */
export const seedTarget = (store: Store, from: number, to: number): Promise<void> =>
  store.insert('targets', [{ chain: 'ETH', id: `t${from}`, kind: 'backfill', from_block: from, to_block: to, requested_by: 'test', requested_at: new Date().toISOString() }])
