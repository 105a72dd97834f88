/** Recorded blocks of Bitcoin in the answers, against what getblock says of them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { bitcoinId, bitcoinScriptType, bitcoinText } from '../../schemas/bitcoin.js'
import { jsonAnswer, recordedJson } from '../support/bitcoin.js'
import { fillBitcoin, passBitcoin, priceWbtc } from './support/bitcoin.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

interface Side { readonly address: string; readonly sats: bigint }
interface Script { readonly scriptPubKey: { readonly type: string; readonly hex: string; readonly address?: string; readonly addresses?: readonly string[] } }
interface Told { readonly txid: string; readonly index: number; readonly ins: readonly Side[]; readonly outs: readonly Side[]; readonly unknown: number }

/** Who holds an output, '' where nobody is paid. */
const holder = ({ scriptPubKey: { type, hex, address, addresses } }: Script): string => (type === 'pubkey' || type === 'multisig' ? `script${createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')}` : address ?? addresses?.[0] ?? '')

/** A block as its JSON has it; inputs that spend outputs of the same block are known. */
const toldBy = (height: number): readonly Told[] => {
  const block = JSON.parse(recordedJson(height) ?? '{}') as { tx: { txid: string; vin: { txid?: string; vout: number }[]; vout: (Script & { value: number })[] }[] }
  const paid = new Map<string, Side>()
  return block.tx.map(({ txid, vin, vout }, index) => {
    const outs = vout.map((out, place) => {
      const side = { address: holder(out), sats: BigInt(Math.round(out.value * 1e8)) }
      paid.set(`${txid}:${place}`, side)
      return side
    })
    const spent = vin.filter((one) => one.txid !== undefined).map((one) => paid.get(`${one.txid}:${one.vout}`))
    return { txid, index, outs, ins: spent.filter((one) => one !== undefined), unknown: spent.filter((one) => one === undefined).length }
  })
}
const partiesOf = (block: readonly Told[], side: 'ins' | 'outs'): number => new Set(block.flatMap((tx) => tx[side].map(({ address }) => address)).filter((address) => address !== '')).size
const netOf = ({ ins, outs }: Told): bigint => outs.filter(({ address }) => address !== '' && !ins.some((one) => one.address === address)).reduce((sum, { sats }) => sum + sats, 0n)

describe('Bitcoin in the answers, on recorded blocks', function () {
  this.timeout(180_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const blocks = new Map([514_485, 574_200].map((height) => [height, toldBy(height)]))
  before(async () => {
    service = await startService()
    await priceWbtc(service.store, 1_556_771_671 - 3_601, 4_000)
    await priceWbtc(service.store, 1_556_771_671 - 600, 5_300)
    await priceWbtc(service.store, 1_556_771_671 - 10, 5_400, 'vwap')
    await priceWbtc(service.store, 1_556_771_671 + 1, 9_999)
    await fillBitcoin(service.store, [514_485, 574_200])
    await seed(service.store, 100, 2, new Date('2019-05-02T04:34:20.000Z'))
  })
  after(() => service.stop())

  it('lists flows between owners: newest block first, then the largest, page by page', async () => {
    const expected = [...blocks.get(574_200) ?? []].map((tx) => [netOf(tx), tx.index, tx.txid] as const).filter(([net]) => net >= 10n * 100_000_000n).sort((a, b) => (a[0] !== b[0] ? (a[0] > b[0] ? -1 : 1) : b[1] - a[1]))
    const all = await get('feed/btc/recent?limit=200')
    assert.deepEqual(all.map(({ tx_hash: hash, net_transfer_sats: sats }: any) => [hash, sats]), expected.slice(0, 200).map(([net, , txid]) => [txid, String(net)]))
    const [first] = all
    assert.equal(first.net_transfer_btc, `${BigInt(first.net_transfer_sats) / 100_000_000n}.${String(BigInt(first.net_transfer_sats) % 100_000_000n).padStart(8, '0')}`)
    const pages: any[] = []
    for (let cursor: string | null = ''; cursor !== null && pages.length < 60;) {
      const { body, headers } = await service.call(`GET /v1/feed/btc/recent?limit=17${cursor === '' ? '' : `&cursor=${cursor}`}`) as any
      pages.push(...body)
      cursor = headers.get('x-next-cursor')
    }
    assert.deepEqual(pages.slice(0, Math.min(60, all.length)), all.slice(0, Math.min(60, pages.length)))
    assert.ok((await get('feed/btc/recent?min_btc=300')).every(({ net_transfer_sats: sats }: any) => BigInt(sats) >= 300n * 100_000_000n))
    const named = await get('feed/btc/recent?entity_only=true&min_btc=0')
    assert.ok(named.length > 0 && named.every((row: any) => row.from_entity !== '' || row.to_entity !== ''))
    assert.equal((await service.call('GET /v1/feed/btc/recent?min_btc=-1')).status, 422)
    assert.equal((await service.call('GET /v1/feed/btc/recent?cursor=abc')).status, 400)
  })

  it('prices by the oracle of the hour before the block, by nothing later, and not at all without one', async () => {
    const rows = await service.store.query('SELECT toFloat64(block_number) AS block, usd, method FROM prices WHERE chain = \'BTC\'', {}, z.object({ block: z.number(), usd: z.number(), method: z.string() }))
    assert.deepEqual(rows, [{ block: 574_200, usd: 5_300, method: 'wbtc_chainlink' }])
    const [first] = await get('feed/btc/recent?limit=1')
    assert.equal(first.price_method, 'wbtc_chainlink')
    assert.ok(Math.abs(first.value_usd - Number(first.net_transfer_sats) / 1e8 * 5_300) < 0.01)
  })

  it('has every output and every known input of an address, exactly', async () => {
    const address = '1FoWyxwPXuj4C6abqwhjDWdz6D4PZgYRjA'
    const sides = [...blocks.values()].flat().flatMap(({ ins, outs }) => [...outs.filter((one) => one.address === address).map(({ sats }) => sats), ...ins.filter((one) => one.address === address).map(({ sats }) => -sats)])
    const profile = await get(`wallets/${address}`)
    assert.deepEqual([profile.chain, profile.profile.transfers_in, profile.profile.transfers_out, profile.balances[0].net_amount],
      ['BTC', sides.filter((one) => one > 0n).length, sides.filter((one) => one < 0n).length, String(sides.reduce((sum, one) => sum + one, 0n))])
    const moves = await get(`wallets/transfers/${address}?chain=BTC&limit=200`)
    assert.equal(moves.count, sides.length)
    assert.equal(moves.transfers.reduce((sum: bigint, one: any) => sum + (one.direction === 'in' ? 1n : -1n) * BigInt(one.amount), 0n), sides.reduce((sum, one) => sum + one, 0n))
    assert.ok(moves.transfers.every((one: any) => /^[0-9a-f]{64}$/.test(one.tx_hash) && !/^0x(?!0{40})/.test(one.counterparty)))
    assert.deepEqual((await get(`wallets/${address}/all-chains`)).seen_on, ['BTC'])
  })

  it('a script without an address is a party: it has transfers and a balance of its own', async () => {
    const paid = (blocks.get(574_200) ?? []).flatMap(({ txid, outs }) => outs.filter(({ address }) => address.startsWith('script')).map((side) => ({ ...side, txid })))
    const [one] = paid
    assert.ok(one !== undefined && paid.length > 30)
    const { transfers } = await get(`wallets/transfers/${one.address}?chain=BTC&limit=200`)
    assert.ok(transfers.some(({ tx_hash: hash, amount, direction }: any) => hash === one.txid && amount === String(one.sats) && direction === 'in'))
    const sum = paid.filter(({ address }) => address === one.address).reduce((all, { sats }) => all + sats, 0n)
    assert.equal((await get(`wallets/${one.address}?chain=BTC`)).balances[0].net_amount, String(sum))
  })

  it('knows the address that OFAC listed later, in labels and in the report', async () => {
    const address = '1NpHuti9NSM9fVTXLkvSDU4AnhqGQ5N53d'
    const paid = (blocks.get(574_200) ?? []).find(({ txid }) => txid.startsWith('41f366c2'))?.outs.find((one) => one.address === address)
    assert.equal(paid?.sats, 38_796_959n)
    const { transfers: [move] } = await get(`wallets/transfers/${address}?chain=BTC`)
    assert.deepEqual([move.amount, move.direction, move.tx_hash], ['38796959', 'in', '41f366c2afcc222fe45398b6dc13dcca8874ca6ed288420700575495d03f8dad'])
    assert.ok((await get(`labels/BTC/${address}`)).statements.some(({ classification }: any) => classification === 'sanctioned'))
    const report = await get(`wallets/compliance/${address}?chain=BTC`)
    assert.ok(report.label.classification === 'sanctioned' && report.risk_at_least > 0)
  })

  it('puts flows of exchanges at their nets, and lists both chains together', async () => {
    const paid = (blocks.get(574_200) ?? []).flatMap(({ outs }) => outs).filter(({ address }) => address === '1Kr6QSydW9bFQG1mXiPNNu6WpJGmUa9i1g').reduce((sum, { sats }) => sum + sats, 0n)
    const flows = await get('dashboard/exchange-flows?chain=BTC')
    const bitfinex = flows.exchanges.find(({ exchange }: any) => exchange === 'bitfinex')
    // Who paid it is not known: it may be change of its own.
    assert.deepEqual([bitfinex.tokens[0].amount_unknown, bitfinex.tokens[0].amount_in, bitfinex.tokens[0].amount_out, bitfinex.tokens[0].token_symbol], [String(paid), '0', '0', 'BTC'])
    const whales = await get('whales/recent?limit=200&min_usd=500000')
    assert.deepEqual([...new Set(whales.whales.map(({ chain }: any) => chain))].sort(), ['BTC', 'ETH'])
    assert.deepEqual(whales.whales.map(({ timestamp }: any) => timestamp), whales.whales.map(({ timestamp }: any) => timestamp).sort().reverse())
    for (const one of whales.whales) assert.match(one.tx_hash, one.chain === 'ETH' ? /^0x/ : /^[0-9a-f]{64}$/)
    const top = await get('wallets/top/ALL?limit=100')
    assert.deepEqual(top.map(({ volume_usd: usd }: any) => usd), top.map(({ volume_usd: usd }: any) => usd).sort((a: number, b: number) => b - a))
    assert.deepEqual([...new Set(top.map(({ chain }: any) => chain))].sort(), ['BTC', 'ETH'])
  })

  it('has blocks, and says what Bitcoin does not have', async () => {
    const { block } = await get('blocks/BTC/574200')
    assert.equal(block.transactions.fees, null, 'an input that is not known leaves the fees unknown')
    assert.deepEqual([block.tx_count, block.hash, block.bitcoin.subsidy, block.bitcoin.fees, block.bitcoin.miner], [3_315, '0000000000000000001602407ac49862a7bca9d00f7f402db20b7be2f5de59d2', '1250000000', null, 'BTC.com'])
    assert.deepEqual([block.transactions.senders, block.transactions.receivers], [null, partiesOf(blocks.get(574_200) ?? [], 'outs')], 'and who sends')
    const listed = (await get('blocks/BTC')).blocks
    assert.deepEqual(listed.map(({ number, difficulty }: any) => [number, difficulty]), [[574_200, '6353030562983'], [514_485, '3462542391191']], 'as getblock says, rounded down')
    assert.deepEqual([block.difficulty, listed[0]], [listed[0].difficulty, Object.fromEntries(Object.entries(block).filter(([name]) => !['bitcoin', 'transactions'].includes(name)))])
    for (const path of ['dashboard/gas', 'mev', 'feed/trending', 'dashboard/stablecoins', 'dashboard/swap-pairs', 'leaders']) {
      const { status, body } = await service.call(`GET /v1/${path}?chain=BTC`) as any
      if (status === 200) assert.deepEqual([body._meta.empty.is_successful_empty, body._meta.empty.empty_reason], [false, 'unsupported_input'], path)
    }
    for (const wrong of ['1NpHuti9NSM9fVTXLkvSDU4AnhqGQ5N53e', '0x28c6c06298d514db089934071355e5743bf21d60', 'bc1qx9t2l3pyny2spqpqlye8svce70nppwtaxwdrp5']) {
      assert.equal((await get(`wallets/${wrong}?chain=BTC`))._meta.empty.empty_reason, 'unsupported_input', wrong)
    }
  })

  it('serves what an OP_RETURN carries as bytes, and as untrusted text where it is text', async () => {
    type Noted = { tx: { txid: string; vout: { value: number; n: number; scriptPubKey: { type: string; hex: string } }[] }[] }
    const noted = [514_485, 574_200].flatMap((height) => (JSON.parse(recordedJson(height) ?? '{}') as Noted).tx).flatMap(({ txid, vout }) => vout.filter(({ scriptPubKey: { type, hex } }) => type === 'nulldata' && Number.parseInt(hex.slice(2, 4), 16) < 76).map(({ n, value, scriptPubKey: { hex } }) => ({ txid, vout: n, value, data: Buffer.from(hex.slice(4), 'hex') })))
    const readable = noted.find(({ data }) => /^[ -~]{6,}$/.test(data.toString('latin1'))), omni = noted.find(({ data }) => data.subarray(0, 4).toString('latin1') === 'omni' && data.length === 20)
    assert.ok(readable !== undefined && omni !== undefined)
    for (const one of [readable, omni]) {
      const { op_returns: [note] } = await get(`btc/transactions/${one.txid}/links`)
      assert.deepEqual([note.vout, note.value_sats, note.bytes, note.hex], [one.vout, String(Math.round(one.value * 1e8)), one.data.length, one.data.toString('hex')])
    }
    assert.equal((await get(`btc/transactions/${readable.txid}/links`)).op_returns[0].text, readable.data.toString('latin1'))
    const [there, unknown] = [await get(`btc/transactions/${readable.txid}/links`), await get(`btc/transactions/${'ab'.repeat(32)}/links`)]
    assert.ok([514_485, 574_200].includes(there.block_number) && there._meta.empty === undefined)
    assert.deepEqual([unknown.block_number, unknown.op_returns, unknown._meta.empty], [null, [], { is_successful_empty: false, empty_reason: 'data_gap' }])
  })

  it('counts the parties that a block spends and pays, each once and change too, where all that it spends is known', async () => {
    const block = JSON.parse(recordedJson(277_647) ?? '{}') as { tx: { vin: { txid?: string; prevout?: Script }[]; vout: Script[] }[] }
    const parties = (sides: readonly (Script | undefined)[]): number => new Set(sides.filter((side) => side !== undefined).map(holder).filter((one) => one !== '')).size
    await passBitcoin(service.store, jsonAnswer(277_647, recordedJson(277_647) ?? ''), 2_000)
    const { block: { transactions } } = await get('blocks/BTC/277647')
    assert.deepEqual([transactions.senders, transactions.receivers], [parties(block.tx.flatMap(({ vin }) => vin.map(({ prevout }) => prevout))), parties(block.tx.flatMap(({ vout }) => vout))])
    assert.deepEqual([transactions.count, transactions.senders, transactions.receivers], [213, 353, 687])
  })

  it('tells addresses of Bitcoin from other texts', () => {
    for (const [address, type] of [['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'pubkeyhash'], ['3J6e8HmemDxeXFLpUaHQe1iqQ8vaCMidGb', 'scripthash'], ['bc1qx9t2l3pyny2spqpqlye8svce70nppwtaxwdrp4', 'witness_v0_keyhash'],
      ['bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr', 'witness_v1_taproot'], ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'witness_v0_keyhash'], ['TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj', null], ['', null], ['bc1', null]] as const) assert.equal(bitcoinScriptType(address), type, address)
    assert.equal(bitcoinText('BC1QX9T2L3PYNY2SPQPQLYE8SVCE70NPPWTAXWDRP4'), 'bc1qx9t2l3pyny2spqpqlye8svce70nppwtaxwdrp4')
    assert.match(bitcoinId('x'), /^0x2d711642b726b04401627ca9fbac32f5c8530fb1$/)
  })
})
