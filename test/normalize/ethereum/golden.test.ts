/** Every row of every normalized table, by height. */
import { compareGolden } from '../../support/golden.js'
import { insertRaw } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { normalize, rowsOf, tables, type Table } from './normalized.js'

const heights = [
  4369999, 7280016, 12914944, 13998626, 14000000, 14764013, 15537393, 15537394, 16899757, 17000000, 17034869, 17034870, 17053184,
  18000000, 19426586, 19426587, 20472570, 22431083, 22431084, 22869878,
]

describe('normalized Ethereum blocks, row by row', function () {
  this.timeout(120_000)
  let store: Store
  before(async () => {
    store = (await freshStore()).store
    await insertRaw(store, heights)
    await normalize(store, Math.min(...heights), Math.max(...heights))
  })

  for (const height of heights) {
    it(`block ${height}`, async () => {
      const lines: string[] = []
      for (const table of Object.keys(tables) as Table[]) {
        lines.push(...(await rowsOf(store, table, height)).map((row) => JSON.stringify({ table, ...row, generation: undefined, chain: undefined })))
      }
      compareGolden(String(height), lines)
    })
  }
})
