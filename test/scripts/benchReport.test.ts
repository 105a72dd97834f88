/** What a report of the bench says its figures come from: the data of the parts that were run, and no others. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { BitcoinResult } from '../../scripts/bench/bitcoin/bitcoin.js'
import type { BitcoinHistoryResult } from '../../scripts/bench/bitcoinHistory/bitcoinHistory.js'
import { report, type Results } from '../../scripts/bench/report.js'

const shaOf = (path: string): string => createHash('sha256').update(readFileSync(new URL(`../../${path}`, import.meta.url))).digest('hex')
const bitcoin: BitcoinResult = {
  blocks: 10, seconds: 1, quiet: true, limits: [20, 20], limitSeconds: 0.5, limitRows: 1, megabytes: 1, workerPeak: 1, rows: {}, cpu: {}, othersShare: 0, tip: { blocks: 1, feed: [1, 1], index: [1, 1], slowest: 1 }, clickhouse: '26', stages: [],
}
const bitcoinHistory: BitcoinHistoryResult = { outputs: 1_234, rows: 1, asks: 1, p50: 1, p95: 1, busiest: 1, busiestRows: 1, seconds: 1, othersShare: 0, cpu: 1, clickhouse: '26' }
const dataOf = (results: Omit<Results, 'command'>): string => report({ ...results, command: 'npm run bench -- this' }).split('## Data set and how to repeat\n\n')[1] ?? ''

describe('reports of the bench', () => {
  it('of Bitcoin name the recorded blocks of Bitcoin, each with the hash of its file', () => {
    const text = dataOf({ bitcoin })
    for (const height of [514_485, 574_200]) assert.ok(text.includes(`test/fixtures/bitcoin/${height}/block.bin.gz: \`${shaOf(`test/fixtures/bitcoin/${height}/block.bin.gz`)}\``), text)
    assert.doesNotMatch(text, /ethereum|made/)
    assert.ok(text.endsWith('\n\n`npm run bench -- this`\n'))
  })

  it('of a made history say that it is made, and by what', () => {
    const text = dataOf({ bitcoinHistory })
    assert.match(text, /1234 made outputs/)
    assert.ok(text.includes(shaOf('scripts/bench/bitcoinHistory/outputs.sql')))
    assert.doesNotMatch(text, /fixtures/)
  })

  it('of Ethereum name its recorded blocks, also beside those of Bitcoin', () => {
    const text = dataOf({ bitcoin, live: { clickhouse: '26' } })
    assert.ok(text.includes(`15547621, 17034870, 17062257`) && text.includes(shaOf('test/fixtures/ethereum/index.json')) && text.includes('fixtures/bitcoin/514485'))
  })
})
