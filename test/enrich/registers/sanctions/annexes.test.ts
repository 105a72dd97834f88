/** Wallets of Israel's orders that stand in PDFs alone: handed in by an operator, they are in every later reading of the page. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { addAnnex } from '../../../../stages/enrich/registers/sanctions/annexes.js'
import { il, readPage } from '../../../../stages/enrich/registers/sanctions/il.js'
import { loadOfficial } from '../../../../stages/enrich/registers/sanctions/loadLists.js'
import { ofac } from '../../../../stages/enrich/registers/sanctions/ofac.js'
import { freshStore } from '../../../support/servers.js'
import { ilHtml, inParts, serving } from './support.js'

const columns = 'schema,order_id,start_date,end_date,name,wallet_address,currency'
const annex = (order: string, wallet: string, from = '2026-07-03'): string => `${columns}\nCryptoWallet,${order},${from},,C,${wallet},BTC\n`
const [first, second] = ['18yzhmcgHtRVoEX3doCrqhis6fFU1dHFUE', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2']

describe('annexes of a sanctions list', function () {
  this.timeout(90_000)

  it('the newest transcription of an order counts, and no order that the page does not name', async () => {
    const before = await readPage(inParts(ilHtml))
    const read = await readPage(inParts(ilHtml), [annex('ASO 91/26', first), annex('91/26', second), annex('ASO 7/20', first)])
    assert.deepEqual([before.notes, read.notes, read.listings.length], [['Orders whose annexes are not read here: 91/26'], [], before.listings.length + 1])
    assert.deepEqual(read.listings.filter(({ listId }) => listId === 'ASO 91/26').map(({ address, listedOn }) => [address, listedOn]), [[second, '2026-07-03']])
  })

  it('what the page shows of an order stays, and what its annex has beside comes to it; a year may have four digits', async () => {
    const shown = 'TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnJ'
    const read = await readPage(inParts(ilHtml), [`${annex('ASO 90/2026', shown)}Wallet,90/26,,,,${second},BTC\n`])
    assert.deepEqual(read.listings.filter(({ listId }) => listId === 'ASO 90/26').map(({ address }) => address), [shown, 'TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnX', second])
  })

  it('what is carried from a transcription has the days that the page says of its order now, and its own where the page says none', async () => {
    const dated = `${columns}\nCryptoWallet,90/26,2026-07-02,2027-01-01,C,${second},BTC\n`
    const read = await readPage(inParts(ilHtml), [dated])
    assert.deepEqual(read.listings.filter(({ address }) => address === second).map(({ listedOn, endsOn }) => [listedOn, endsOn]), [['2026-07-02', '2028-07-02']])
    const undated = await readPage(inParts(ilHtml.replaceAll('02.07.2028', '')), [dated])
    assert.deepEqual(undated.listings.filter(({ address }) => address === second).map(({ listedOn, endsOn }) => [listedOn, endsOn]), [['2026-07-02', '2027-01-01']])
  })

  it('one that is handed in makes an incomplete list whole; it stays in later readings, and a later one takes its place', async () => {
    const { store } = await freshStore()
    const versions = new Set<string>()
    const load = async () => { const { status, reason, listVersion } = await loadOfficial(store, il, serving(ilHtml)); versions.add(listVersion); return [status, reason] }
    const listed = async () => (await store.query("SELECT address FROM designations_now WHERE list_id = 'ASO 91/26'", {}, z.object({ address: z.string() }))).map(({ address }) => address)
    assert.deepEqual(await load(), ['accepted', 'Orders whose annexes are not read here: 91/26'])
    assert.deepEqual(await addAnnex(store, il, annex('ASO 91/26', second)), ['91/26'])
    assert.deepEqual([await load(), await listed(), await load()], [['accepted', ''], [second], ['unchanged', '']])
    await addAnnex(store, il, annex('91/26', 'TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnJ'))
    assert.deepEqual([await load(), await listed()], [['accepted', ''], ['TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnJ']])
    assert.equal(versions.size, 3, 'another annex makes another version')
  })

  it('what is no transcription is refused before it is kept', async () => {
    const { store } = await freshStore()
    const refused: readonly (readonly [string, RegExp])[] = [['a,b\n1,2\n', /lacks schema, order_id/], [`${columns}\n`, /has no row/], [annex('18', first), /Row 2 of the transcription names no order: order_id holds its number, such as 18\/26/],
      [annex('91/26', ''), /Row 2 of the transcription is a wallet without wallet_address/],
      [annex('91/26', first, '03.07.2026'), /Row 2 of the transcription has 03\.07\.2026 where a day stands, YYYY-MM-DD/], [annex('91/26', first, '2026-02-30'), /2026-02-30/], [`${columns}\n"open`, /cannot be read/]]
    for (const [text, why] of refused) await assert.rejects(addAnnex(store, il, text), why)
    await assert.rejects(addAnnex(store, ofac, annex('91/26', first)), /OFAC_SDN has no annexes/)
    assert.deepEqual(await store.query('SELECT count() AS count FROM sanctions_annexes', {}, z.object({ count: z.coerce.number() })), [{ count: 0 }])
  })
})
