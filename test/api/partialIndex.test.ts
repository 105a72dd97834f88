/** What may be said of an address where the index does not have the whole chain: silence is unknown there, and never low. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { insertBlocks, type Block } from '../support/btcLedger.js'
import { account, listTokens, seedBlocks, seedLabel, seedMoves } from './support/handmade.js'
import { putLists } from './support/sanctions.js'
import { startService, type Service } from './support/service.js'

const [never, holder, payer] = ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1FoWyxwPXuj4C6abqwhjDWdz6D4PZgYRjA', '1NpHuti9NSM9fVTXLkvSDU4AnhqGQ5N53d']
const inBlocks = (blocks: readonly Block[], from: number) => async (service: Service): Promise<void> => {
  const { store } = service
  await insertBlocks(store, blocks)
  await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
  const statements = [...listsOf('BTC').enrich, ...listsOf('BTC').index].map((group) => group.filter(({ writes }) => ['address_transfers', 'address_segments'].includes(writes)))
  await runStatements(statements, { ...bitcoinBatch(from, from + blocks.length - 1, 0), hash: 'x' }, bitcoinContext(store))
  await store.execute("INSERT INTO btc_blocks (chain, block_number, unresolved_inputs) SELECT chain, block_number, sum(unresolved_inputs) FROM btc_transactions GROUP BY chain, block_number HAVING sum(unresolved_inputs) > 0")
  await store.execute('ALTER TABLE address_transfers UPDATE value_usd = 1000 WHERE true SETTINGS mutations_sync = 2')
}
const now = new Date().toISOString()
const coinbase = { coinbase: true, ins: [{ address: '', value: 0 }], outs: [{ address: payer, value: 50 }] }
/** Questions about all that an address ever did. */
const ofAddress = (address: string): string[] => [`wallets/${address}`, `wallets/transfers/${address}`, `wallets/trail/${address}`, `wallets/trail/${address}/graph`, `wallets/compliance/${address}`, `forensic/mixers/${address}`]
const clear = { OFAC_SDN: [], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] }

const cases: readonly (readonly [name: string, fill: (service: Service) => Promise<void>, whole: boolean])[] = [
  ['Bitcoin from its first block on', inBlocks([{ number: 1, at: now, txs: [coinbase] }], 1), true],
  ['Bitcoin from its first block on, with an input that is not known', inBlocks([{ number: 1, txs: [coinbase, { ins: [{ address: '', value: null }], outs: [{ address: holder, value: 5 }] }] }], 1), false],
  ['Bitcoin from a later block on', inBlocks([{ number: 800_006, txs: [coinbase] }], 800_006), false],
]

describe('risk on an index', function () {
  this.timeout(120_000)
  for (const [name, fill, whole] of cases) {
    describe(`of ${name}`, () => {
      let service: Service
      before(async () => {
        service = await startService()
        await fill(service)
        await putLists(service.store, clear)
        // Registers say something of somebody: without any, nothing is known of anybody.
        await service.store.execute("INSERT INTO labels (chain, address, label, entity, category, source, confidence, valid_from, removed, version) VALUES ('BTC', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', 'Some fund', 'Some fund', 'fund', 'test', 50, now64(3), false, 1)")
      })
      after(() => service.stop())
      const report = async (address: string): Promise<any> => (await service.call(`GET /v1/wallets/compliance/${address}?chain=BTC`)).body

      it(whole ? 'an address that was never seen did nothing' : 'nothing is known of an address that was never seen, nor that it is low', async () => {
        const { risk_score: score, risk_level: level, complete, breakdown, counterparty_risk: others, exposure, coverage_status: { warnings }, _meta: { empty } } = await report(never)
        assert.deepEqual([score, level, complete, others.score, breakdown.mixer.score, breakdown.sanctions.score], whole ? [0, 'low', true, 0, 0, 0] : [null, null, false, null, null, 0])
        assert.deepEqual([exposure, empty], [[], whole ? undefined : { is_successful_empty: false, empty_reason: 'data_gap' }])
        assert.equal(/inputs_unresolved|Of \d+ blocks of BTC 1 are indexed/.test(warnings.join()), !whole, warnings.join())
        assert.equal(/not the whole chain/.test(breakdown.mixer.reason), !whole)
        const use = (await service.call(`GET /v1/forensic/mixers/${never}?chain=BTC`)).body
        assert.deepEqual([use.complete, use._meta.empty.empty_reason], whole ? [true, 'no_mixer_match'] : [false, 'data_gap'])
      })

      it('every answer about all that an address did says how much is indexed', async () => {
        const [found] = await service.store.query("SELECT lower(hex(txid)) AS txid FROM btc_transactions WHERE coinbase", {}, z.object({ txid: z.string() }))
        for (const path of [...ofAddress(payer).map((one) => `${one}?chain=BTC`), `btc/clusters/${payer}`, `btc/transactions/${found?.txid}/links`]) {
          const { status, body } = await service.call(`GET /v1/${path}`)
          assert.deepEqual([status, body.coverage_status.warnings.some((text: string) => /^Of \d+ blocks of BTC 1 are indexed/.test(text))], [200, name.endsWith('later block on')], path)
        }
      })

      it('what was mined is wholly followed only where nobody unknown can have spent it', async () => {
        const { risk_score: score, complete } = await report(payer)
        assert.deepEqual([score, complete], whole ? [0, true] : [null, false])
      })

      it('a listing stays a listing', async () => {
        await putLists(service.store, { OFAC_SDN: [{ address: holder, ticker: 'XBT' }] })
        const { risk_score: score, risk_level: level, _meta: { empty } } = await report(holder)
        assert.deepEqual([score, level, empty], [100, 'severe', undefined])
      })
    })
  }

  describe('of Ethereum from a later block on', () => {
    let service: Service
    before(async () => {
      service = await startService()
      await seedBlocks(service.store, 50, 99)
      await listTokens(service.store, 'f')
      await seedLabel(service.store, 'e', 'Some Mixer', 'mixer')
      await seedLabel(service.store, 'b', 'Some Exchange', 'exchange')
      await seedLabel(service.store, 'a', 'A Thief', 'hack')
      await seedMoves(service.store, [{ from: 'e', to: '1', block: 51, amount: 100, usd: 100 }, { from: 'b', to: '2', block: 52, amount: 100, usd: 100 }])
      await putLists(service.store, clear)
    })
    after(() => service.stop())
    const scores = async (digit: string) => {
      const { risk_score: score, complete, breakdown: { mixer, volume }, _meta: { empty }, coverage_status: { warnings } } = (await service.call(`GET /v1/wallets/compliance/${account(digit)}`)).body
      assert.ok(warnings.includes('Of 100 blocks of ETH 50 are indexed: what an address did in the others is not known'))
      return [score, complete, mixer.score, volume.score, empty?.empty_reason]
    }

    it('every answer about all that an address did says how much is indexed', async () => {
      for (const path of [...ofAddress(account('1')), `wallets/${account('1')}/pnl`, `wallets/transfers/${account('1')}?chain=ALL`]) {
        const { status, body } = await service.call(`GET /v1/${path}`)
        assert.deepEqual([status, body.coverage_status.warnings.includes('Of 100 blocks of ETH 50 are indexed: what an address did in the others is not known')], [200, true], path)
      }
      const { profiles } = (await service.call(`GET /v1/wallets/${account('1')}/all-chains`)).body
      assert.deepEqual(profiles.map(({ chain, coverage_status: { warnings } }: any) => [chain, /Of 100 blocks of ETH/.test(warnings.join())]), [['ETH', true], ['BTC', false], ['HL', false], ['MATIC', false]])
    })

    it('what was seen stands, and nothing is low', async () => {
      assert.deepEqual(await scores('7'), [null, false, null, null, 'data_gap'], 'never seen')
      assert.deepEqual(await scores('2'), [null, false, null, null, 'data_gap'], 'dealt with an exchange, as far as is known')
      // 100 · 0.7 · 0.9 of the trail.
      assert.deepEqual((await scores('1')).slice(0, 3), [63, false, 63])
      assert.deepEqual((await scores('a')).slice(0, 3), [95, false, null], 'what it is itself does not hang on the index')
    })
  })

  it('an address of another chain is no input, rather than a gap', async () => {
    const service = await startService()
    try {
      await seedBlocks(service.store, 0, 99)
      await putLists(service.store, clear)
      for (const path of ['compliance', 'trail']) {
        const { _meta: { empty } } = (await service.call(`GET /v1/wallets/${path}/${never}`)).body
        assert.deepEqual(empty, { is_successful_empty: false, empty_reason: 'unsupported_input' }, path)
      }
    } finally { await service.stop() }
  })
})
