/** Transactions as large as whoever pays for a block can make them. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { insertBlocks } from '../support/btcLedger.js'
import { freshStore } from '../support/servers.js'

const sql = (file: string) => loadSql(new URL('../../stages/enrich/x', import.meta.url).href, file)

describe('a transaction of Bitcoin that fills its block', function () {
  this.timeout(240_000)
  it('moves value to each who did not pay, within memory that does not grow with the product of inputs and outputs', async () => {
    const { store } = await freshStore()
    const payers = 6_000, paid = 16_000
    await insertBlocks(store, [{ number: 800_000, txs: [{
      ins: Array.from({ length: payers }, (_, i) => ({ address: `payer ${i}`, value: 10_000 + i })),
      // What goes back to payers moves nothing.
      outs: [...Array.from({ length: paid }, (_, i) => ({ address: `paid ${i}`, value: 1_000 })), ...Array.from({ length: 10 }, (_, i) => ({ address: `payer ${i}`, value: 1_000 }))],
    }] }])
    await store.execute(sql('bitcoin/transfers.sql'), { chain: 'BTC', from: 800_000, to: 800_000, generation: 0 }, { max_memory_usage: 1_000_000_000 })
    const [row] = await store.query(`SELECT count() AS moved, max(sub) AS last, countIf(from_address = unhex(substring(lower(hex(SHA256('payer ${payers - 1}'))), 1, 40))) AS told FROM transfers`, {}, z.object({ moved: z.coerce.number(), last: z.number(), told: z.coerce.number() }))
    assert.deepEqual(row, { moved: paid, last: paid - 1, told: paid })
  })
})

describe('a transaction of Ethereum full of swaps, tokens and accounts', function () {
  this.timeout(240_000)
  it('gives each account its trades, within memory that does not grow with their product', async () => {
    const { store } = await freshStore()
    const many = 3_000
    const made = (what: string): string => `toFixedString(substring(SHA256(concat('${what}', toString(number))), 1, 20), 20)`
    const [sender, bought, pool] = ['sender', 'bought', 'pool'].map((name) => `toFixedString('${name}', 20)`) as [string, string, string]
    await store.execute(`INSERT INTO swaps (chain, block_number, log_index, tx_index, protocol, pool, trader, sender, recipient, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought)
      SELECT 'ETH', 5, number, 0, 'v2_fork', toFixedString(concat(toFixedString('', 12), ${pool}), 32), ${sender}, ${sender}, ${sender}, ${made('token')}, true, number + 1, ${bought}, true, 1 FROM numbers({many:UInt32})`, { many })
    // The sender sells a token in each swap; somebody else trades it beside that.
    const moves = [[made('token'), sender, pool, 'number + 1'], [bought, pool, sender, '1'], [made('token'), pool, made('party'), '7'], [bought, made('party'), pool, '9']] as const
    for (const [place, [token, from, to, amount]] of moves.entries()) {
      await store.execute(`INSERT INTO transfers (chain, block_number, kind, position, tx_index, token, from_address, to_address, amount)
        SELECT 'ETH', 5, 'erc20', number * 4 + {place:UInt32}, 0, ${token}, ${from}, ${to}, ${amount} FROM numbers({many:UInt32})`, { many, place })
    }
    await store.execute(sql('wallet_trades.sql'), { chain: 'ETH', from: 5, to: 5, floor: 0, generation: 0 }, { max_memory_usage: 1_000_000_000 })
    const rows = await store.query('SELECT toString(role) AS role, toString(side) AS side, count() AS trades, toString(sum(amount)) AS amount, toString(sum(pool_amount)) AS pool FROM wallet_trades GROUP BY role, side ORDER BY role, side', {},
      z.object({ role: z.string(), side: z.string(), trades: z.coerce.number(), amount: z.string(), pool: z.string() }))
    const sum = String(many * (many + 1) / 2)
    assert.deepEqual(rows, [
      { role: 'party', side: 'buy', trades: many, amount: String(7 * many), pool: '0' }, { role: 'party', side: 'sell', trades: many, amount: String(9 * many), pool: '0' },
      { role: 'sender', side: 'buy', trades: 1, amount: String(many), pool: String(many) }, { role: 'sender', side: 'sell', trades: many, amount: sum, pool: sum },
    ])
  })
})
