import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { lastPlace, newestHeight, pageFields, pageOf, Place } from '../../pages.js'
import { detectorNames } from './clusters.js'
import { Coinjoin, CoinjoinRow, ofCoinjoin } from './coinjoin.js'

const listCoinjoins = loadSql(import.meta.url, 'listCoinjoins.sql')

export default operation({
  name: 'list_coinjoins', aliases: ['coinjoins'], route: 'GET /v1/btc/coinjoins', auth: 'public', lane: 'forensic', tool: true, cacheSeconds: 10, chain: 'BTC', sources: ['btc_coinjoins'], rows: 'coinjoins', hours: Infinity,
  summary: 'Bitcoin CoinJoins, newest first.',
  input: z.object({ detector: z.enum(detectorNames).optional().describe('Only these'), limit: limitField(200, 20), cursor: cursorField }),
  output: z.object({ chain: z.string(), count: z.number().int(), coinjoins: z.array(Coinjoin), ...pageFields, coverage_status: CoverageStatus }),
  run: async ({ limit, cursor, detector }, ask) => {
    const { cursors, coverage } = ask.services
    const inputs = { detector }
    const [block, index] = cursor === undefined ? [newestHeight, lastPlace] as const : cursors.read('list_coinjoins', inputs, cursor, Place)
    const [rows, status] = await Promise.all([ask.store.query(listCoinjoins, { detector: detector ?? '', block, index, newest: newestHeight, limit: limit + 1 }, CoinjoinRow, {}, ask.signal), coverage.status('BTC')])
    const { page, more } = pageOf(rows, limit, (last) => cursors.write('list_coinjoins', inputs, [last.block_number, last.tx_index]))
    return { chain: 'BTC', count: page.length, coinjoins: page.map(ofCoinjoin), ...more, coverage_status: status }
  },
})
