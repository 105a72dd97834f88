/** The bundled lists against what independent readers found in them. */
import assert from 'node:assert/strict'
import { bundledBytes } from '../../../../stages/enrich/registers/sanctions/list.js'
import { normalAddress } from '../../../../schemas/addresses/normalAddress.js'
import { addressesIn } from '../../../../stages/enrich/registers/sanctions/addressesIn.js'
import { il, readPage } from '../../../../stages/enrich/registers/sanctions/il.js'
import { jp, walletsIn } from '../../../../stages/enrich/registers/sanctions/jp.js'
import { ofac, readOfac } from '../../../../stages/enrich/registers/sanctions/ofac.js'
import { readUk, uk } from '../../../../stages/enrich/registers/sanctions/uk.js'
import { collected, fixture, ilHtml, inParts } from './support.js'

const refused = (thrown: unknown): boolean => (thrown as { code: string }).code === 'LIST_UNREADABLE'
const sorted = (values: readonly string[]): readonly string[] => [...values].sort()

describe('sanctions lists', function () {
  this.timeout(60_000)

  it('OFAC: 79 parties, 761 addresses, each under its ticker and name; programmes and days', async () => {
    const read = await ofac.bundled.read(inParts(await collected(bundledBytes(ofac.bundled.file))))
    const expected = fixture<readonly [string, string, readonly [string, string][]][]>('ofac_expected')
    assert.deepEqual([read.publishedAt, read.entries, read.listings.length], ['2025-11-19', 79, 761])
    assert.deepEqual(sorted(read.listings.map(({ listId, entityName, ticker, address }) => [listId, entityName, ticker, address].join('|'))), sorted(expected.flatMap(([id, name, found]) => found.map((one) => [id, name, ...one].join('|')))))
    const lists = fixture<Record<string, readonly string[]>>('ofac_2025-12-04')
    for (const ticker of new Set(read.listings.map((one) => one.ticker))) assert.deepEqual(sorted([...new Set(read.listings.filter((one) => one.ticker === ticker).map(({ address }) => address))]), sorted([...new Set(lists[ticker])]), ticker)
    const lazarus = read.listings.find(({ address }) => address === '0x098B716B8Aaf21512996dC57EB0615e2383E2f96')
    assert.deepEqual([lazarus?.ticker, lazarus?.entityName, lazarus?.programme, lazarus?.listedOn], ['ETH', 'Lazarus Group', 'DPRK3', '2019-09-13'])
    assert.ok(read.listings.every(({ programme, listedOn }) => programme !== '' && listedOn !== null))
  })

  it('UK: 25 mentions in 6 designations, in order', async () => {
    const read = await uk.bundled.read(inParts(await collected(bundledBytes(uk.bundled.file))))
    assert.deepEqual([read.publishedAt, read.entries, read.listings.length], ['2026-08-22', 6, 25])
    const expected = fixture<readonly [string, readonly string[]][]>('uk_expected')
    assert.deepEqual(read.listings.map(({ listId, address }) => `${listId}|${address}`), expected.flatMap(([id, found]) => found.map((address) => `${id}|${address}`)))
    assert.deepEqual([read.listings[0]?.entityName, read.listings[0]?.listedOn, read.listings[0]?.ticker, read.listings[1]?.ticker, read.listings.at(-1)?.ticker], ['Mustafa AYASH', '2024-03-27', 'ETH', 'BNB', 'BTC'])
    // Of the names of a designation the primary one, not a variation of it.
    assert.deepEqual(Object.fromEntries(read.listings.map(({ listId, entityName }) => [listId, entityName.trim()])), {
      CTD0004: 'Mustafa AYASH', GHR0174: 'Byex Exchange Company Limited', GHR0190: 'XINBI COMPANY LIMITED', RUS1421: 'GARANTEX EUROPE OU', RUS3602: 'EXMO EXCHANGE LIMITED', RUS3605: 'RAPIRA GROUP LLC',
    })
  })

  it('the UK\'s free text: an address is found whatever stands beside it, with or without a space', () => {
    const [ether, coin, usd, cash] = ['0x7F367cC41522cE07553e823bf3be79A889DEbe1B', '149w62rY42aZBox8fGcmqNsXUzSStKeq8C', 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', 'bitcoincash:qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq']
    for (const text of [`ETH:${ether} XBT:${coin}`, `(1)ETH:${ether}(2)XBT:${coin}.`, `[${ether}] '${coin}'`, `${ether}/${coin}`, `ETH-${ether}\u2013${coin}`, `wallets {${ether}}, _${coin}_`, `https://explorer.example/address/${ether}?a=${coin}`])
      assert.deepEqual(addressesIn(text), [{ ticker: 'ETH', address: ether }, { ticker: text.includes('XBT') ? 'XBT' : 'BTC', address: coin }], text)
    assert.deepEqual(addressesIn(`USDT:${usd}; BCH:${cash}`), [{ ticker: 'USDT', address: usd }, { ticker: 'BCH', address: cash }])
    assert.deepEqual(addressesIn(`XBT:${coin.replace('9', '8')}`), [{ ticker: 'XBT', address: coin.replace('9', '8') }], 'one that is mistyped is kept')
    const mistyped = ether.replace('1B', '1b')
    for (const [text, ticker] of [['associated Ethereum address: ', 'ETH'], ['and ', 'ETH'], ['USDC: ', 'USDC']] as const) assert.deepEqual(addressesIn(`${text}${mistyped}.`), [{ ticker, address: mistyped }], 'one whose letter case is wrong is kept')
    assert.notEqual(normalAddress(mistyped).reason, null)
    assert.deepEqual(addressesIn(`transaction 0x${'aB'.repeat(32)}`), [])
    assert.deepEqual(addressesIn('A statement of reasons, with a passport (AB1234567890123) and a name.surname@example.org'), [])
  })

  it('Israel: 783 wallets with their orders; 94 that are written with look-alike letters are mended; a wallet that is none keeps a reason', async () => {
    const read = await il.bundled.read(bundledBytes(il.bundled.file))
    const expected = fixture<readonly [order: string, raw: string, normal: string, chain: string, from: string, until: string][]>('il_expected')
    assert.deepEqual(read.listings.map(({ address, listedOn, endsOn }) => [address, listedOn ?? '', endsOn ?? '']), expected.map(([, raw, , , from, until]) => [raw, from, until]))
    assert.deepEqual(read.listings.map(({ listId }) => listId), expected.map(([order]) => `ASO ${order.replace(/[^\d/]/g, '')}`))
    const normal = read.listings.map(({ address }) => normalAddress(address))
    assert.deepEqual([read.listings.length, normal.filter(({ repaired }) => repaired !== null).length], [783, 94])
    const names: Readonly<Record<string, string>> = { TRX: 'TRON', BTC: 'BTC', ETH: '' }
    for (const [at, [, , text, chain]] of expected.entries()) if (chain !== 'other') assert.deepEqual([normal[at]?.text.toLowerCase(), normal[at]?.chain, normal[at]?.reason], [text.toLowerCase(), names[chain], null], text)
    assert.deepEqual(normal.filter(({ reason }) => reason !== null).map(({ text }) => text), ['binanceiost', '3HQJ9ta7TmYNRjkby3nbMGdHzNCCiXs3Ui', '18yzhmcgHtRVoEX3doCrqhis6fFU1dHFUE'])
  })

  it('Israel, the page: wallets of orders with their days, account numbers left out, older orders from the transcription', async () => {
    const html = ilHtml
    const read = await readPage(inParts(html))
    assert.deepEqual(read.listings.slice(0, 2), [
      { listId: 'ASO 90/26', ticker: 'USDT', address: 'TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnJ', entityName: 'A & B', programme: 'Anti-Terrorism Law 5776-2016', listedOn: '2026-07-02', endsOn: '2028-07-02' },
      { listId: 'ASO 90/26', ticker: '', address: 'TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnX', entityName: '', programme: 'Anti-Terrorism Law 5776-2016', listedOn: '2026-07-02', endsOn: '2028-07-02' }])
    assert.ok(read.listings.some(({ listId, address }) => listId === 'ASO 44/21' && address === '1EfmRn6Bp3cjrTBubaH8MzRRc2ikSjNGXw'))
    assert.deepEqual(read.notes, ['Orders whose annexes are not read here: 91/26'])
    await assert.rejects(readPage(inParts('<html>Please show that you are no robot</html>')), refused)
  })

  it('Japan: 3 rows, 26 addresses, without the readings that stand beside letters', async () => {
    const read = await jp.bundled.read(bundledBytes(jp.bundled.file))
    const expected = fixture<readonly [string, number, readonly string[]][]>('jp_expected')
    assert.deepEqual([read.entries, read.listings.map(({ address }) => address)], [3, expected.flatMap(([, , found]) => found)])
    assert.deepEqual([...new Set(read.listings.map(({ listId, listedOn, entityName }) => `${listId} ${listedOn ?? ''} ${entityName}`))], ['16/2022-12-02/68 2022-12-02 Lazarus Group', '17/2023-09-01/78 2023-09-01 Sim Hyon Sop', '17/2023-09-01/79 2023-09-01 Wu Huihui'])
  })

  it('Japan: wallets behind every word for them, also where other words stand in between', () => {
    const [ether, coin, usd] = ['0x7F367cC41522cE07553e823bf3be79A889DEbe1B', '149w62rY42aZBox8fGcmqNsXUzSStKeq8C', 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf']
    assert.deepEqual(walletsIn(`別名 XYZ 暗号資産アドレス：${ether}；\n${coin}\nその他：旅券 暗号資産アドレス: ${usd}`), [ether, coin, usd])
    assert.deepEqual(walletsIn(`暗号資産アドレス：${ether}、${coin}，${usd}。旅券番号 1234567890123456`), [ether, coin, usd])
    assert.deepEqual(walletsIn(`旅券番号 ${coin}`), [])
  })

  it('what is cut off, damaged, another document or no document is refused', async () => {
    const [xml, ukXml, book, csv] = [await collected(bundledBytes(ofac.bundled.file)), await collected(bundledBytes(uk.bundled.file)), await collected(bundledBytes(jp.bundled.file)), await collected(bundledBytes(il.bundled.file))]
    for (const cut of [0.1, 0.5, 0.99]) {
      await assert.rejects(readOfac(inParts(xml.subarray(0, xml.length * cut))), refused)
      await assert.rejects(readUk(inParts(ukXml.subarray(0, ukXml.length * cut))), refused)
      await assert.rejects(jp.bundled.read(inParts(book.subarray(0, book.length * cut), 65_536)), refused)
    }
    await assert.rejects(il.bundled.read(inParts(csv.subarray(0, csv.length * 0.5))), refused)
    await assert.rejects(readOfac(inParts(ukXml)), refused)
    await assert.rejects(readUk(inParts(xml)), refused)
    for (const nothing of ['', '<html></html>', '{}', '<!DOCTYPE a [<!ENTITY b "c">]><Sanctions/>']) {
      await assert.rejects(readOfac(inParts(nothing)), refused, nothing)
      await assert.rejects(readUk(inParts(nothing)), refused, nothing)
    }
    const damaged = Buffer.from(book)
    for (let at = 500_000; at < 500_400; at += 1) damaged[at] = (damaged[at] ?? 0) ^ 0xff
    await assert.rejects(jp.bundled.read(inParts(damaged, 65_536)), refused)
    await assert.rejects(readOfac(inParts(Buffer.concat([xml.subarray(0, 200_000), Buffer.from([0xff, 0xfe]), xml.subarray(200_000)]))), refused)
  })
})
