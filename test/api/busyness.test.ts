/** How busy an address is does not hang on who else is asked about, and is read once while the ledger stands. */
import assert from 'node:assert/strict'
import { openKept } from '../../api/kept.js'
import type { Ask } from '../../api/operation.js'
import { knownBusyness, readBusyness } from '../../api/operations/wallets/trail/busyness.js'
import type { Store } from '../../schemas/clickhouse.js'
import { freshStore } from '../support/servers.js'

const address = (n: number): string => `0x${String(n).repeat(40)}`
const six = [1, 2, 3, 4, 5, 6].map(address)

/** What readBusyness uses of a question: of one state of the ledger. */
const askOf = (store: Store): Ask => { const kept = openKept(store); return { store, services: { coverage: { view: () => Promise.resolve({ kept }) } } } as unknown as Ask }

describe('how busy addresses are', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => {
    store = (await freshStore()).store
    // Each in 1,500 transactions, ten others in each of them.
    await store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, generation)
      SELECT 'BTC', unhex(repeat(toString(1 + intDiv(number, 1500)), 40)), 1 + number, 'native', 0, 0, 'in', now64(3), '', '', unhex(leftPad(hex(number % 7), 40, '0')), 5, 0 FROM numbers(9000)`)
    await store.execute(`INSERT INTO address_segments SELECT 'BTC', unhex(repeat(toString(1 + number), 40)), toDateTime('2026-01-01 00:00:00'), 1, 1500, 1, 0, 0, 1, 1, now64(3), now64(3), 1 FROM numbers(6)`)
    await store.execute(`INSERT INTO btc_inputs (chain, block_number, tx_index, vin, address, value) SELECT 'BTC', 1 + intDiv(number, 10), 0, number % 10, concat('a', toString(number)), 1 FROM numbers(90000)`)
  })

  it('is the same alone and among others', async () => {
    const [alone, among] = [await readBusyness([address(6)], 'BTC', askOf(store)), await readBusyness(six, 'BTC', askOf(store))]
    for (const one of six) assert.deepEqual(among(one), { transfers: 1_500, counterparties: 15_000 }, one)
    assert.deepEqual(alone(address(6)), among(address(6)))
  })

  it('is at hand once it was read, of its chain alone', async () => {
    const ask = askOf(store)
    assert.equal(await knownBusyness(address(1), 'BTC', ask), undefined)
    await readBusyness([address(1), address(9)], 'BTC', ask)
    assert.deepEqual([await knownBusyness(address(1), 'BTC', ask), await knownBusyness(address(9), 'BTC', ask)], [{ transfers: 1_500, counterparties: 15_000 }, { transfers: 0, counterparties: null }])
    assert.equal(await knownBusyness(address(1), 'ETH', ask), undefined)
    const asked = { ...ask, store: { ...store, query: () => Promise.reject(new Error('asked again')) } }
    assert.equal((await readBusyness([address(1)], 'BTC', asked))(address(1)).transfers, 1_500)
  })
})
