/** What real nodes gave for recorded mainnet blocks, from Frontier to today, fits the shapes raw answers are parsed by. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { z } from 'zod'
import { Header, Receipt, Transaction } from '../../api/nodes/shapes.js'
import { recorded } from '../support/raw.js'

const heights = readdirSync(new URL('../fixtures/ethereum/', import.meta.url)).filter((name) => /^\d+$/.test(name)).map(Number)

describe('answers of nodes', () => {
  it('parse, whatever fork they are from', () => {
    let receipts = 0
    for (const height of heights) {
      const block = JSON.parse(recorded(height, 'block') ?? 'null') as { hash: string; transactions: unknown[] }
      const header = Header.parse(block)
      assert.deepEqual([header.number, header.hash, header.transactions], [height, block.hash, block.transactions.length])
      for (const transaction of block.transactions) if (typeof transaction !== 'string') assert.equal(Transaction.parse(transaction).blockHash, block.hash)
      const text = recorded(height, 'receipts')
      if (text === undefined) continue
      for (const receipt of z.array(Receipt).parse(JSON.parse(text))) { receipts += 1; assert.equal(receipt.blockNumber, height) }
    }
    assert.ok(heights.length > 20 && receipts > 1_000, `${heights.length} blocks, ${receipts} receipts`)
  })
})
