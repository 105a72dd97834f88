/** What the rules of extracted value take for a bot, for a stranger and for a victim; rows small enough to be worked out by hand. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { freshStore } from '../support/servers.js'

const sql = (name: string) => loadSql(new URL('../../stages/index/mev/x', import.meta.url).href, `${name}.sql`)
const judge = async (store: Store, ...names: readonly string[]): Promise<void> => {
  for (const name of names) await store.execute(sql(name), { chain: 'ETH', from: 1, to: 9, floor: 0, generation: 0 })
}
/** Short names stand for addresses. */
const named = (name: string): string => `0x${Buffer.from(name).toString('hex').padEnd(40, '0')}`
const putLabels = async (store: Store, classes: Readonly<Record<string, string>>): Promise<void> => {
  await store.insert('labels', Object.entries(classes).map(([name, category]) => ({ chain: 'ETH', address: named(name), label: name, entity: '', category, source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 })))
  await store.execute('SYSTEM RELOAD DICTIONARY label_of')
}
/** Transactions of `block` in order: [account, contract]. */
const putSent = async (store: Store, block: number, sent: readonly (readonly [string, string])[]): Promise<void> => {
  await store.execute("INSERT INTO blocks (chain, block_number, block_hash, block_time) SELECT 'ETH', {block:UInt64}, SHA256(toString({block:UInt64})), toDateTime64(1700000000, 3, 'UTC')", { block })
  for (const [tx, [account, contract]] of sent.entries()) {
    await store.execute("INSERT INTO transactions (chain, block_number, block_hash, tx_index, tx_hash, from_address, to_address) SELECT 'ETH', {block:UInt64}, SHA256(toString({block:UInt64})), {tx:UInt32}, SHA256(toString({tx:UInt32})), toFixedString({account:String}, 20), toFixedString({contract:String}, 20)", { block, tx, account, contract })
  }
}
interface Trade { tx: number; log: number; pool: string; sender?: string; sold: string; give: number; bought: string; get: number; left?: readonly [number, number]; protocol?: string; trusted?: boolean }
const putTrades = async (store: Store, block: number, trades: readonly Trade[]): Promise<void> => {
  for (const { left: [leftSold, leftBought] = [0, 0], sender = '', protocol = 'uniswap_v2', trusted = true, ...trade } of trades) {
    await store.execute(`INSERT INTO swap_legs (chain, block_number, block_hash, log_index, tx_index, tx_hash, protocol, trusted, pool, sender, recipient, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought, depth_sold, depth_bought)
      SELECT 'ETH', {block:UInt64}, SHA256(toString({block:UInt64})), {log:UInt32}, {tx:UInt32}, SHA256(toString({tx:UInt32})), {protocol:String}, {trusted:Bool}, toFixedString(concat(toFixedString('', 12), toFixedString({pool:String}, 20)), 32), toFixedString({sender:String}, 20), toFixedString({sender:String}, 20),
        toFixedString({sold:String}, 20), true, {give:UInt64}, toFixedString({bought:String}, 20), true, {get:UInt64}, {leftSold:UInt64}, {leftBought:UInt64}`, { block, sender, leftSold, leftBought, protocol, trusted, ...trade })
  }
}
const topics = { mint: '7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde', burn: '0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c', collect: '70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0', aave: 'e413a321e8681d831f4dbccbca790d2952b56f977908e45be37335533e005286', compound: '298637f684da70674f26509b10f07ec2fbc77a335ab1e7d6215a4b2484d8bb52' }
const word = (value: number | bigint): string => value.toString(16).padStart(64, '0')
const padded = (name: string): string => named(name).slice(2).padStart(64, '0')
const putEvent = (store: Store, block: number, tx: number, log: number, address: string, event: keyof typeof topics, rest: readonly string[], data: string): Promise<unknown> => store.execute(`INSERT INTO logs (chain, block_number, block_hash, log_index, tx_index, tx_hash, address, topic_count, topic0, topic1, topic2, topic3, data)
  SELECT 'ETH', {block:UInt64}, SHA256(toString({block:UInt64})), {log:UInt32}, {tx:UInt32}, SHA256(toString({tx:UInt32})), toFixedString({address:String}, 20), 4, unhex({t0:String}), unhex({t1:String}), unhex({t2:String}), unhex({t3:String}), unhex({data:String})`,
{ block, tx, log, address, t0: topics[event], t1: rest[0] ?? '', t2: rest[1] ?? '', t3: rest[2] ?? '', data })
const putPosition = async (store: Store, block: number, owner: string, made: number, undone: number): Promise<void> => {
  const place = [padded(owner), word(100), word(200)]
  await putEvent(store, block, made, 1, 'pool', 'mint', place, padded(owner) + word(9) + word(50) + word(60))
  await putEvent(store, block, undone, 99, 'pool', 'burn', place, word(9) + word(50) + word(60))
}
const text = (column: string): string => `trimBoth(toString(${column}), '\\0')`
const Leg = z.object({ block: z.coerce.number(), kind: z.string(), rule: z.string(), grade: z.string(), searcher: z.string(), role: z.string(), position: z.number(), loss: z.string().nullable() })
const legsOf = (store: Store) => store.query(`SELECT block_number AS block, toString(kind) AS kind, toString(rule) AS rule, toString(grade) AS grade, ${text('searcher')} AS searcher, toString(role) AS role, position, toString(loss) AS loss FROM mev_legs ORDER BY block, kind, position, sub`, {}, Leg)

describe('the rules of extracted value', function () {
  this.timeout(120_000)

  it('a contract that is labelled a bot is its bot\'s, as one without a label', async () => {
    const { store } = await freshStore()
    await putLabels(store, { bot: 'mev_bot', market: 'lending' })
    for (const [number, hub] of ['bot', 'bare'].entries()) {
      const base = number * 4 + 1
      await putSent(store, base, [['s1', hub], ['victim', 'router'], ['s2', hub]])
      await putTrades(store, base, [
        { tx: 0, log: 1, pool: 'pool', sender: hub, sold: 'a', give: 100, bought: 'b', get: 100 }, { tx: 1, log: 2, pool: 'pool', sender: 'router', sold: 'a', give: 50, bought: 'b', get: 40 }, { tx: 2, log: 3, pool: 'pool', sender: hub, sold: 'b', give: 100, bought: 'a', get: 110 }])
      await putSent(store, base + 1, ['s1', 's2', 's3', 's4', 's5'].map((account) => [account, hub] as const))
      for (const tx of [0, 1, 2, 3, 4]) await putTrades(store, base + 1, [{ tx, log: 10 * tx + 1, pool: `p${tx}`, sold: 'a', give: 100, bought: 'b', get: 50 }, { tx, log: 10 * tx + 2, pool: `q${tx}`, sold: 'b', give: 50, bought: 'a', get: 101 }])
      await putSent(store, base + 2, [['s1', hub], ['stranger', 'router'], ['s2', hub]])
      await putPosition(store, base + 2, hub, 0, 2)
      await putTrades(store, base + 2, [{ tx: 1, log: 50, pool: 'pool', protocol: 'uniswap_v3', sold: 'a', give: 100, bought: 'b', get: 50 }])
      await putSent(store, base + 3, [['s1', hub]])
      await putEvent(store, base + 3, 0, 1, 'market', 'aave', [padded('a'), padded('b'), padded('debtor')], word(100) + word(90) + padded(hub) + word(0))
    }
    await judge(store, 'sandwiches', 'arbitrages', 'jits', 'liquidations')
    const found = (await legsOf(store)).map(({ block, kind, grade, searcher, role }) => [block, kind, grade, searcher, role])
    const told = (hub: string, base: number) => [
      ...['front', 'victim', 'back'].map((role) => [base, 'sandwich', 'medium', hub, role]), ...Array.from({ length: 10 }, () => [base + 1, 'arbitrage', 'high', hub, 'swap']),
      ...['mint', 'mint', 'swap', 'burn', 'burn'].map((role) => [base + 2, 'jit', 'medium', hub, role]), ...['repay', 'seize'].map((role) => [base + 3, 'liquidation', 'high', hub, role]),
    ]
    assert.deepEqual(found, [...told('bot', 1), ...told('bare', 5)])
  })

  it('just-in-time liquidity serves a stranger, not the provider himself', async () => {
    const { store } = await freshStore()
    // 1: the provider trades alone. 2: a stranger, too.
    for (const block of [1, 2]) {
      await putSent(store, block, [['e', 'hub'], ['e', 'hub'], ['stranger', 'router'], ['e', 'hub']])
      await putPosition(store, block, 'hub', 0, 3)
      await putTrades(store, block, [{ tx: 1, log: 50, pool: 'pool', protocol: 'uniswap_v3', sold: 'a', give: 100, bought: 'b', get: 50 }, ...(block === 2 ? [{ tx: 2, log: 60, pool: 'pool', protocol: 'uniswap_v3', sold: 'a', give: 100, bought: 'b', get: 49 }] : [])])
    }
    await judge(store, 'jits')
    assert.deepEqual((await legsOf(store)).map(({ block, role, position }) => [block, role, position]), [[2, 'mint', 1], [2, 'mint', 1], [2, 'swap', 60], [2, 'burn', 99], [2, 'burn', 99]])
  })

  it('just-in-time liquidity is believed of pools of known factories alone, in amounts that a pool can hold', async () => {
    const { store } = await freshStore()
    const forged = async (block: number, swap: Partial<Trade>, minted: bigint): Promise<void> => {
      const place = [padded('hub'), word(100), word(200)]
      await putSent(store, block, [['e', 'hub'], ['stranger', 'router'], ['e', 'hub']])
      await putEvent(store, block, 0, 1, 'pool', 'mint', place, padded('hub') + word(9) + word(0) + word(minted))
      await putTrades(store, block, [{ tx: 1, log: 50, pool: 'pool', sold: 'a', give: 1, bought: 'b', get: 1, ...swap }])
      await putEvent(store, block, 2, 98, 'pool', 'burn', place, word(9) + word(0) + word(1))
      await putEvent(store, block, 2, 99, 'pool', 'collect', place, padded('hub') + word(0) + word(10n ** 30n))
    }
    // 1: of no known factory. 2: its pool's own contract may tell anything beside what the vault tells of it. 3: an amount that no token has. 4: as it should be.
    await forged(1, { protocol: 'v3_fork', trusted: false }, 1n)
    await forged(2, { protocol: 'balancer_v3' }, 1n)
    await forged(3, { protocol: 'uniswap_v3' }, 1n << 200n)
    await forged(4, { protocol: 'uniswap_v3' }, 1n)
    await judge(store, 'jits')
    assert.deepEqual((await legsOf(store)).map(({ block, role }) => [block, role]), ['mint', 'mint', 'swap', 'collect', 'collect'].map((role) => [4, role]))
  })

  it('positions that a manager holds at the same ticks are those of who sent for them, each his own', async () => {
    const { store } = await freshStore()
    await putLabels(store, { vaults: 'dex' })
    // Uniswap's own manager, and one that a label names. A passer-by adds to the same ticks before the searcher, and takes fees after him.
    for (const [block, manager] of [[1, '0xc36442b4a4522e871399cd717abdd847ab11fe88'], [2, named('vaults')]] as const) {
      const owner = manager.slice(2).padStart(64, '0'), place = [owner, word(100), word(200)]
      await putSent(store, block, [['passer', 'router'], ['e', 'router'], ['stranger', 'router'], ['e', 'router'], ['passer', 'router']])
      for (const tx of [0, 1]) await putEvent(store, block, tx, tx + 1, 'pool', 'mint', place, owner + word(9) + word(50) + word(60))
      await putTrades(store, block, [{ tx: 2, log: 50, pool: 'pool', protocol: 'uniswap_v3', sold: 'a', give: 100, bought: 'b', get: 50 }])
      await putEvent(store, block, 3, 98, 'pool', 'burn', place, word(9) + word(50) + word(60))
      await putEvent(store, block, 3, 99, 'pool', 'collect', place, owner + word(51) + word(60))
      await putEvent(store, block, 4, 101, 'pool', 'collect', place, owner + word(1000) + word(1000))
    }
    await judge(store, 'jits')
    assert.deepEqual((await legsOf(store)).map(({ block, grade, searcher, role, position }) => [block, grade, searcher, role, position]),
      [1, 2].flatMap((block) => ([['mint', 2], ['mint', 2], ['swap', 50], ['collect', 99], ['collect', 99]] as const).map(([role, position]) => [block, 'high', 'router', role, position])))
  })

  it('value extracted while a contract is created is that contract\'s', async () => {
    const { store } = await freshStore()
    await putSent(store, 1, [['e', ''], ['victim', 'router'], ['e', '']])
    await putSent(store, 2, [['e', '']])
    await putSent(store, 3, [['e', ''], ['stranger', 'router'], ['e', '']])
    await store.execute("ALTER TABLE transactions UPDATE creates_contract = true, contract_address = toFixedString(concat('made', toString(tx_index)), 20) WHERE from_address = toFixedString('e', 20)", {}, { mutations_sync: 1 })
    await putTrades(store, 1, [
      { tx: 0, log: 1, pool: 'pool', sender: 'made0', sold: 'a', give: 100, bought: 'b', get: 100 }, { tx: 1, log: 2, pool: 'pool', sender: 'router', sold: 'a', give: 50, bought: 'b', get: 40 }, { tx: 2, log: 3, pool: 'pool', sender: 'made2', sold: 'b', give: 100, bought: 'a', get: 110 }])
    await putTrades(store, 2, [{ tx: 0, log: 1, pool: 'p', sold: 'a', give: 100, bought: 'b', get: 50 }, { tx: 0, log: 2, pool: 'q', sold: 'b', give: 50, bought: 'a', get: 101 }])
    await putPosition(store, 3, 'made0', 0, 2)
    await putTrades(store, 3, [{ tx: 1, log: 50, pool: 'pool', protocol: 'uniswap_v3', sold: 'a', give: 100, bought: 'b', get: 50 }])
    await judge(store, 'sandwiches', 'arbitrages', 'jits')
    const found = [...new Set((await legsOf(store)).map(({ block, kind, grade, searcher }) => [block, kind, grade, searcher].join(' ')))]
    assert.deepEqual(found, ['1 sandwich high made0', '2 arbitrage high made0', '3 jit high made0'])
  })

  it('accounts that each create a contract share none', async () => {
    const { store } = await freshStore()
    await putSent(store, 1, [['s1', ''], ['victim', 'router'], ['s2', '']])
    await store.execute("ALTER TABLE transactions UPDATE creates_contract = true, contract_address = toFixedString(concat('made', toString(tx_index)), 20) WHERE to_address = toFixedString('', 20)", {}, { mutations_sync: 1 })
    await putTrades(store, 1, [{ tx: 0, log: 1, pool: 'pool', sold: 'a', give: 100, bought: 'b', get: 100 }, { tx: 1, log: 2, pool: 'pool', sender: 'router', sold: 'a', give: 50, bought: 'b', get: 40 }, { tx: 2, log: 3, pool: 'pool', sold: 'b', give: 100, bought: 'a', get: 110 }])
    await judge(store, 'sandwiches')
    assert.deepEqual(await legsOf(store), [])
  })

  it('a find has as many legs as are told of it: repaying and seizing are two', async () => {
    const { store } = await freshStore()
    await putLabels(store, { market: 'lending' })
    await putSent(store, 1, [['s', 'hub']])
    await putEvent(store, 1, 0, 1, 'market', 'aave', [padded('a'), padded('b'), padded('debtor')], word(100) + word(90) + padded('hub') + word(0))
    await judge(store, 'liquidations', 'mev')
    assert.deepEqual(await store.query('SELECT legs, (SELECT count() FROM mev_legs) AS told FROM mev', {}, z.object({ legs: z.number(), told: z.coerce.number() })), [{ legs: 2, told: 2 }])
  })

  it('a liquidator on Compound V2 received what was handed to him, without the protocol\'s share', async () => {
    const { store } = await freshStore()
    await putLabels(store, { cdebt: 'lending' })
    const seize = (block: number, handed: readonly number[]) => Promise.all([putSent(store, block, [['s', 'hub']]),
      store.execute(`INSERT INTO logs (chain, block_number, block_hash, log_index, tx_index, tx_hash, address, topic_count, topic0, data) SELECT 'ETH', {block:UInt64}, SHA256(toString({block:UInt64})), 9, 0, SHA256('0'), toFixedString('cdebt', 20), 1, unhex({t0:String}), unhex({data:String})`,
        { block, t0: topics.compound, data: padded('hub') + padded('debtor') + word(100) + padded('ccoll') + word(1000) }),
      ...handed.map((amount, position) => store.execute("INSERT INTO movements (chain, block_number, kind, position, block_hash, tx_index, tx_hash, token, from_address, to_address, amount) SELECT 'ETH', {block:UInt64}, 'erc20', {position:UInt32}, SHA256(toString({block:UInt64})), 0, SHA256('0'), toFixedString('ccoll', 20), toFixedString('debtor', 20), toFixedString('hub', 20), {amount:UInt64}", { block, position, amount }))])
    // A share stays with the protocol. There is none. Two were handed over: which belongs to this event is not known. More than was seized.
    for (const [index, handed] of [[972], [1000], [972, 500], [1001]].entries()) await seize(index + 1, handed)
    await judge(store, 'liquidations')
    const got = await store.query("SELECT block_number AS block, toString(amount_out) AS amount FROM mev_legs WHERE role = 'seize' ORDER BY block", {}, z.object({ block: z.coerce.number(), amount: z.string() }))
    assert.deepEqual(got.map(({ amount }) => amount), ['972', '1000', '1000', '1000'])
  })

  it('a victim is written once where several traded before and after it in its pool, and lost what all of them took', async () => {
    const { store } = await freshStore()
    await putSent(store, 1, [['e', 'hub'], ['victim', 'router'], ['e', 'hub']])
    // Uniswap V2's way to count, with reserves of a million each before it all.
    const state = { a: 1_000_000n, b: 1_000_000n }
    const price = (give: bigint, into: 'a' | 'b', reserves: { a: bigint; b: bigint }): bigint => give * 9970n * reserves[into === 'a' ? 'b' : 'a'] / (reserves[into] * 10_000n + give * 9970n)
    const trade = (tx: number, log: number, sender: string, into: 'a' | 'b', give: bigint): Trade => {
      const out = into === 'a' ? 'b' : 'a', get = price(give, into, state)
      state[into] += give
      state[out] -= get
      return { tx, log, pool: 'pool', sender, sold: into, give: Number(give), bought: out, get: Number(get), left: [Number(state[into]), Number(state[out])] }
    }
    const fair = price(40_000n, 'a', state)
    const fronts = [trade(0, 1, 'f1', 'a', 50_000n), trade(0, 2, 'f2', 'a', 30_000n)], victim = trade(1, 3, 'router', 'a', 40_000n)
    const [first, second] = fronts.map(({ get }) => BigInt(get)) as [bigint, bigint]
    await putTrades(store, 1, [...fronts, victim, trade(2, 4, 'f1', 'b', first), trade(2, 5, 'f2', 'b', second)])
    await judge(store, 'sandwiches')
    assert.deepEqual((await legsOf(store)).map(({ role, position, loss }) => [role, position, loss]), [['front', 1, null], ['front', 2, null], ['victim', 3, String(fair - BigInt(victim.get))], ['back', 4, null], ['back', 5, null]])
  })

  it('what victims lost is summed of those of whom all is known', async () => {
    const { store } = await freshStore()
    await putSent(store, 1, [['e', 'hub'], ['A', 'router'], ['B', 'router'], ['e', 'hub']])
    await store.insert('tokens', [{ chain: 'ETH', address: named('usd'), symbol: 'USD', name: 'USD', decimals: 0, stable: true, source: 'test', version: 1 }].map(({ address, ...rest }) => ({ ...rest, address: Buffer.from(address.slice(2), 'hex').toString('latin1') })))
    await store.execute('SYSTEM RELOAD DICTIONARY token_of')
    await store.execute("INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'ETH', toFixedString('usd', 20), 1, block_time, 1, 'made' FROM blocks")
    for (const [tx, position, loss] of [[1, 2, 100], [1, 3, null], [2, 4, 50]] as const) {
      await store.execute(`INSERT INTO mev_legs (chain, block_number, mev_id, kind, rule, grade, role, own, position, block_time, tx_index, token_out, token_out_known, amount_out, loss, loss_reason)
        SELECT 'ETH', 1, SHA256('one'), 'sandwich', 'sandwich_sender', 'high', 'victim', false, {position:UInt32}, block_time, {tx:UInt32}, toFixedString('usd', 20), true, 1000, {loss:Nullable(UInt64)}, if(isNull({loss:Nullable(UInt64)}), 'liquidity_changed', '') FROM blocks`, { tx, position, loss })
    }
    await judge(store, 'mev')
    assert.deepEqual(await store.query('SELECT victims, losses_known AS known, victim_loss_usd AS usd FROM mev', {}, z.object({ victims: z.number(), known: z.number(), usd: z.number().nullable() })), [{ victims: 2, known: 1, usd: 50 }])
  })
})
