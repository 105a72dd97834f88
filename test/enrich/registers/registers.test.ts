import assert from 'node:assert/strict'
import { z } from 'zod'
import { bitcoinId } from '../../../schemas/bitcoin.js'
import { riskyClasses } from '../../../schemas/riskyClasses.js'
import { addressClasses, wrongAbuse, wrongCategory } from '../../../stages/enrich/registers/classes.js'
import { parse } from 'yaml'
import { labelsOf, Pack } from '../../../stages/enrich/registers/tagPack.js'
import { loadRegisters, registers } from '../../../stages/enrich/registers/loadRegisters.js'
import { bytesOf, filesIn, textOf } from '../../../stages/enrich/registers/register.js'
import { freshStore } from '../../support/servers.js'

const Text = z.object({ text: z.string() })

describe('registers', () => {
  it('read a pack: a tag\'s own fields win, other chains and nobody\'s addresses are left out', () => {
    const labels = labelsOf(Pack.parse(parse(`
title: A pack
confidence: forensic
currency: ETH
abuse: scam
lastmod: 2022-04-05
tags:
- address: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96'
  label: "evil\\u202e\\u200b name"
- address: '0x0000000000000000000000000000000000000018'
  label: a precompile
- {address: '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo', currency: BTC, label: b, category: exchange, abuse: null, actor: binance, confidence: service_api}
- {address: 'LabcLabcLabcLabcLabcLabcLabc', currency: LTC, label: c}
`.replace('abuse: null, ', ''))))
    assert.deepEqual(labels.map(({ chain, address, label, entity, category, confidence, validFrom }) => [chain, address, label, entity, category, confidence, validFrom]), [
      ['ETH', '0x098b716b8aaf21512996dc57eb0615e2383e2f96', 'evil name', '', 'scam', 50, '2022-04-05'],
      ['BTC', '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo', 'b', 'binance', 'scam', 70, '2022-04-05']])
  })

  it('take who is in a list of frauds for one, though its tag does not say of which kind', () => {
    const title = 'Tagpack extracted from DeFi Fraud Masterthesis'
    const classes = (of: string) => labelsOf(Pack.parse({ title: of, currency: 'ETH', label: 'defi fraud', tags: [{ address: `0x${'5'.repeat(40)}` }, { address: `0x${'6'.repeat(40)}`, abuse: 'service_hack' }] })).map(({ category }) => category)
    assert.deepEqual([classes(title), classes('Another')], [['scam', 'hack'], ['unknown', 'hack']])
    const bundled = filesIn('graphsense').map((file) => Pack.parse(parse(textOf(file, bytesOf(file)), { maxAliasCount: -1 }))).find((pack) => pack.title === title)
    assert.deepEqual([...new Set(labelsOf(bundled ?? { title: '', tags: [] }).map(({ category }) => category))].sort(), ['hack', 'scam'])
  })

  it('have no abuse and no category that becomes no class', () => {
    const packs = filesIn('graphsense').map((file) => Pack.parse(parse(textOf(file, bytesOf(file)), { maxAliasCount: -1 })))
    const wrong = new Set(packs.flatMap((pack) => [pack, ...pack.tags].flatMap(({ abuse, category }) => [wrongAbuse(abuse), wrongCategory(category)])).filter((problem) => problem !== ''))
    assert.deepEqual([...wrong], [])
  })

  it('load once, and again change nothing', async () => {
    const { store } = await freshStore()
    const first = await loadRegisters(store)
    assert.deepEqual(first.map(({ register }) => register), registers.map(({ name }) => name))
    for (const { register, rows } of first) assert.ok(rows > 50, register)
    assert.deepEqual((await loadRegisters(store)).map(({ rows }) => rows), registers.map(() => 0))
    // A later load that was ended in the middle: labels, and no row of the load.
    await store.execute("INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, licence, valid_from, removed, version) SELECT 'ETH', concat('0x', repeat('12', 20)), 'half', '', 'mixer', 'hydrophone', '', 1, '', now(), false, max(l.version) + 1 FROM labels AS l WHERE l.source = 'hydrophone'")
    const again = await loadRegisters(store)
    assert.deepEqual(again.map(({ register, rows }) => rows > 0 && register), ['hydrophone', false, false, false])
    assert.deepEqual(await store.query("SELECT l.label AS text FROM labels AS l FINAL WHERE l.source = 'hydrophone' AND l.label = 'half' AND NOT l.removed", {}, Text), [])
    assert.deepEqual((await loadRegisters(store)).map(({ rows }) => rows), registers.map(() => 0))
    const of = async (sql: string): Promise<string | undefined> => (await store.query(`SELECT ${sql} AS text`, {}, Text))[0]?.text
    const label = (address: string, chain = 'ETH') => of(`toString(dictGet('label_of', ('label', 'entity', 'category'), ('${chain}', '${address}')))`)
    assert.equal(await label('0x12d66f87a04a9e220743712ce6d9bb1b5616b8fc'), '(\'Tornado Cash: 0.1 ETH\',\'tornado\',\'mixer\')')
    assert.match(await label('0x28c6c06298d514db089934071355e5743bf21d60') ?? '', /^\('binance reserve wallets [A-Z]+','binance','exchange'\)$/)
    assert.equal(await label(bitcoinId('34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'), 'BTC'), '(\'binance reserve wallets BTC\',\'binance\',\'exchange\')')
    assert.equal(await label('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'), '(\'USDC token\',\'\',\'stablecoin\')')
    assert.equal(await label('0x0000000000000000000000000000000000000000'), '(\'\',\'\',\'unknown\')')
    const token = (address: string) => of(`toString(dictGet('token_of', ('symbol', 'decimals', 'stable', 'listed'), ('ETH', '${address}')))`)
    assert.equal(await token('0xdac17f958d2ee523a2206206994597c13d831ec7'), '(\'USDT\',6,1,1)')
    assert.equal(await token('0x83f20f44975d03b1b09e64809b757c47f942beea'), '(\'sDAI\',18,0,1)')
    assert.equal(await token('0x0000000000000000000000000000000000000000'), '(\'ETH\',18,0,1)')
    assert.equal(await of('toString((SELECT uniqExact(entity) = uniqExact(lowerUTF8(entity)) FROM labels))'), '1')
    const classes = await store.query('SELECT DISTINCT toString(category) AS text FROM labels', {}, Text)
    for (const { text } of classes) assert.ok((addressClasses as readonly string[]).includes(text), text)
    const weighing = await store.query("SELECT DISTINCT toString(category) AS text FROM risk_weights WHERE weight > 0 AND (rule, version) IN (SELECT rule, max(version) FROM risk_rules GROUP BY rule)", {}, Text)
    assert.deepEqual(weighing.map(({ text }) => text).sort(), [...riskyClasses].sort())
  })
})
