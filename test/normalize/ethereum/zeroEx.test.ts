/** Orders that 0x filled, as mev-inspect-py describes them: the events such calls emit become the swaps that are published. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { normalizeEthereum } from '../../../stages/normalize/ethereum/statements.js'
import { putBlocks, putLogs, run, word } from '../../enrich/handmade.js'
import { factsOf } from '../../index/mevFacts.js'
import { freshStore } from '../../support/servers.js'

const Call = z.object({ transaction_hash: z.string(), action: z.object({ input: z.string() }), result: z.object({ output: z.string() }) })
const calls = z.array(Call).parse(JSON.parse(readFileSync(new URL('../../fixtures/mev-inspect/zero_ex_fills.json', import.meta.url), 'utf8')))
const limit = new Set(['0xf6274f66', '0x414e4ccf'])
const exchange = '0xdef1c0ded9bec7f1a1670819833240f027b25eff'
const Leg = z.object({ sold: z.string(), amount_sold: z.string(), bought: z.string(), amount_bought: z.string(), aggregator: z.coerce.boolean(), protocol: z.string() })

/** What a fill tells: words of the order are its tokens, words of the answer what was filled. */
const eventOf = ({ action: { input }, result: { output } }: z.infer<typeof Call>) => {
  const [maker, taker] = [input.slice(10, 74), input.slice(74, 138)], [takerFilled, makerFilled] = [output.slice(2, 66), output.slice(66, 130)]
  const none = word(0n).slice(2), tokens = [maker, taker], filled = [takerFilled, makerFilled]
  return limit.has(input.slice(0, 10))
    ? { topics: ['0xab614d2b738543c0ea21f56347cf696a3a0c42a7cbec3212a5ca22a4dcff2124'], data: `0x${[none, none, none, none, ...tokens, ...filled, none, none, none].join('')}` }
    : { topics: ['0x829fa99d94dc4636925b38632e625736a614c154d55006b7ab6bea979c210c32'], data: `0x${[none, none, none, ...tokens, ...filled, none].join('')}` }
}

describe('orders that 0x filled', function () {
  this.timeout(60_000)
  it('are the published swaps, as rows of an aggregator', async () => {
    const { store } = await freshStore()
    const { fills } = factsOf()
    await putBlocks(store, 1, fills.length)
    await putLogs(store, fills.map((fact, index) => {
      const call = calls.find((one) => one.transaction_hash === fact.transaction_hash)
      assert.ok(call !== undefined)
      return { n: index + 1, log: 0, address: exchange, ...eventOf(call) }
    }))
    const legs = normalizeEthereum.map((group) => group.filter((sql) => sql.writes === 'swap_legs')).filter((group) => group.length > 0)
    await run(store, legs, [[1, fills.length]])
    const rows = await store.query(`SELECT concat('0x', lower(hex(token_sold))) AS sold, toString(amount_sold) AS amount_sold, concat('0x', lower(hex(token_bought))) AS bought, toString(amount_bought) AS amount_bought, aggregator, protocol
      FROM swap_legs ORDER BY block_number`, {}, Leg)
    assert.deepEqual(rows, fills.map((fact) => ({
      sold: fact.token_in_address, amount_sold: fact.token_in_amount, bought: fact.token_out_address, amount_bought: fact.token_out_amount, aggregator: true, protocol: 'zero_ex' })))
  })
})
