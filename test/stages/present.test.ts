import assert from 'node:assert/strict'
import { alertStatements } from '../../stages/alert/statements.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { indexStatements } from '../../stages/index/statements.js'
import { normalizeEthereum } from '../../stages/normalize/ethereum/statements.js'
import { countsOf, givenBy } from '../../stages/stage.js'
import { insertRaw } from '../support/raw.js'
import { fillRegisters } from '../support/registered.js'
import { freshStore } from '../support/servers.js'

describe('statements for rare things', () => {
  it('would write nothing wherever they are left out', async function () {
    this.timeout(120_000)
    const { store } = await freshStore()
    await fillRegisters(store)
    const heights = [7280016, 12914944, 14764013, 17034870, 18000000, 19426586, 19426587, 22431083, 22869878]
    await insertRaw(store, heights, 0)
    const seen: Record<'run' | 'left', Set<string>> = { run: new Set(), left: new Set() }
    for (const height of heights) {
      const params = { chain: 'ETH', from: height, to: height, hash: '', generation: 0, floor: height === 19426587 ? 19426586 : height, segmentBlocks: 64 }
      for (const statements of [normalizeEthereum, enrichStatements, indexStatements, alertStatements]) {
        const asked = new Map<string, Readonly<Record<string, number>>>()
        for (const group of statements) {
          for (const { only } of group) if (only !== undefined && !asked.has(only.asks.path)) asked.set(only.asks.path, await countsOf(only.asks, params, store))
          for (const sql of group) {
            const rows = await store.execute(sql, { ...params, ...(sql.given === undefined ? {} : await givenBy(sql.given, params, store)) }, { token: `${height}|${sql.name}` })
            if (sql.only === undefined) continue
            const count = asked.get(sql.only.asks.path)?.[sql.only.column]
            assert.ok(count !== undefined, `${sql.only.column} is no column of ${sql.only.asks.path}`)
            if (count === 0) assert.equal(rows, 0, `${sql.name} at ${height}`)
            seen[count === 0 ? 'left' : 'run'].add(sql.path.split('/').slice(-2).join('/'))
          }
        }
      }
    }
    for (const name of ['ethereum/internal.sql', 'index/chunks_rare.sql', 'rules/liquidation.sql', 'rules/transfers.sql']) assert.ok(seen.left.has(name), `${name} was never left out: ${[...seen.left].join(' ')}`)
    for (const name of ['enrich/prices_chainlink.sql', 'enrich/prices_tokens.sql', 'index/chunks_transfers.sql']) assert.ok(seen.run.has(name), `${name} never ran: ${[...seen.run].join(' ')}`)
  })
})
