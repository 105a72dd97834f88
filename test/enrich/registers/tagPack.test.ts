/** Packs that somebody sends: good ones, wrong ones, and those that mean harm. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { AppError } from '../../../schemas/errors.js'
import { importTagPack } from '../../../stages/enrich/registers/importTagPack.js'
import { storeLabels } from '../../../stages/enrich/registers/storeLabels.js'
import { mostSent, readTagPack } from '../../../stages/enrich/registers/tagPack.js'
import { freshStore } from '../../support/servers.js'

const address = `0x${'Ab'.repeat(20)}`
const pack = (tags: string, head = 'title: Mine\ncurrency: ETH'): string => `${head}\ntags:\n${tags}`
const refusal = (text: string): { message: string; problems: string[] } => {
  try { readTagPack(text) } catch (thrown) {
    assert.ok(thrown instanceof AppError && thrown.code === 'TAGPACK_REFUSED' && thrown.status === 422, String(thrown))
    return { message: thrown.message, problems: ((thrown.body as { details?: { loc: (string | number)[]; msg: string }[] }).details ?? []).map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`) }
  }
  throw new Error('the pack was taken')
}

describe('tag packs that are sent', () => {
  it('become labels with a level, a class and where the source says so; their text is cleaned', () => {
    const { title, labels } = readTagPack(pack(`- {address: '${address}', label: "a\\u202e\\u0007 name", actor: kraken, category: exchange, confidence: service_api, lastmod: 2023-01-02, source: 'https://example.org/x'}
- {address: 0x${'12'.repeat(20)}, label: plain, source: 'javascript:alert(1)'}`))
    assert.equal(title, 'Mine')
    assert.deepEqual(labels.map(({ address: one, label, entity, category, confidence, level, validFrom, reference }) => [one, label, entity, category, confidence, level, validFrom, reference]), [
      [address.toLowerCase(), 'a name', 'kraken', 'exchange', 70, 'service_api', '2023-01-02', 'https://example.org/x'],
      [`0x${'12'.repeat(20)}`, 'plain', '', 'unknown', 5, 'unknown', '2020-01-01', '']])
  })

  it('are refused whole, with every problem by its tag', () => {
    assert.deepEqual(refusal(pack(`- {address: '0x12', label: a}
- {address: '${address}', label: "\\u202e", confidence: certain}
- {address: '${address}', label: b, currency: LTC, lastmod: soon}`)).problems, [
      'tags.0: address 0x12 is no address of Ethereum: 0x and 40 hex digits', 'tags.1: label is missing or has no character that can be seen',
      'tags.1: confidence certain is none of ownership, override, ledger_immanent, manual_transaction, service_api, forensic_investigation, authority_data, trusted_provider, service_data, forensic, untrusted_transaction, web_crawl, heuristic, unknown',
      `tags.2: address ${address} needs network or currency ETH or BTC`, 'tags.2: lastmod soon is no date'])
    for (const day of ['2024-02-30', '2024-13-01', '0001-01-01', '9999-01-01', '2021/05/03', '3 May 2021', '2021', '1']) assert.deepEqual(refusal(pack(`- {address: '${address}', label: a, lastmod: ${day}}`)).problems, [`tags.0: lastmod ${day} is no date`])
    for (const nobody of [`0x${'0'.repeat(40)}`, `0X${'0'.repeat(40)}`, `0X${'0'.repeat(39)}A`]) assert.deepEqual(refusal(pack(`- {address: '${nobody}', label: a}`)).problems, [`tags.0: address ${nobody} is an address of nobody`])
    for (const wrong of [address, 'TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnJ', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp', '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twsep']) assert.deepEqual(refusal(pack(`- {address: '${wrong}', label: a, currency: BTC}`)).problems, [`tags.0: address ${wrong} is no address of Bitcoin`])
    for (const right of ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ', '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa']) assert.equal(readTagPack(pack(`- {address: '${right}', label: a, currency: BTC}`)).labels.length, 1)
  })

  it('are refused where a list or a mapping stands for a text', () => {
    assert.deepEqual(refusal(pack(`- {address: ['${address}'], label: a}
- {address: '${address}', label: {name: Binance}}
- {address: '${address}', label: [a, b]}
- {address: '${address}', label: a, lastmod: [2023-01-02]}`)).problems.map((problem) => problem.split(': ')[0]), ['tags.0.address', 'tags.1.label', 'tags.2.label', 'tags.3.lastmod'])
    assert.match(refusal(pack(`- {address: '${address}'}`, 'title: Mine\ncurrency: ETH\nlabel: {name: Binance}')).problems.join('; '), /^label: must be a text, and is a list or a mapping$/)
  })

  it('have a class for what they call an abuse or a category, in the service\'s words or in others\'', () => {
    const classed = (fields: string): string | undefined => readTagPack(pack(`- {address: '${address}', label: a, ${fields}}`)).labels[0]?.category
    for (const [fields, category] of [
      ['abuse: terrorism_financing', 'extremism'], ['abuse: sextortion', 'scam'], ['abuse: exploit', 'hack'], ['abuse: service_hack', 'hack'], ['category: dark_market', 'market'], ['abuse: Dark Market', 'market'], ['abuse: stolen_funds', 'hack'],
      ['category: hack', 'hack'], ['abuse: theft', 'hack'], ['abuse: sanction, category: exchange', 'sanctioned'], ['abuse: ransomware', 'ransomware'], ['category: mixing_service', 'mixer'], ['category: coinjoin', 'mixer'],
      ['category: fund', 'fund'], ['category: hedge_fund', 'fund'], ['category: bridge', 'bridge'], ['category: whale', 'whale'], ['category: mev_bot', 'mev_bot'], ['category: exchange_hot', 'exchange'], ['category: mining_service', 'miner'],
      ['category: atm', 'service'], ['category: vpn', 'service'], ['category: donation', 'service'], ['category: hosting', 'service'], ['category: payment_processor', 'service'], ['abuse: null, category: exchange', 'exchange'], ['category: user', 'unknown'],
    ] as const) assert.equal(classed(fields), category, fields)
  })

  it('are refused where an abuse or category is none that is known, rather than weigh nothing', () => {
    const { problems: [abuse, category, benign] } = refusal(pack(`- {address: '${address}', label: a, abuse: evil}\n- {address: '${address}', label: b, category: __proto__}\n- {address: '${address}', label: c, abuse: exchange}`))
    assert.match(abuse ?? '', /^tags\.0: abuse evil is none of gambling, .*terrorism_financing, .*sextortion/)
    assert.match(category ?? '', /^tags\.1: category __proto__ is none of .*fund, whale, .*donation/)
    assert.match(benign ?? '', /^tags\.2: abuse exchange is none of /)
  })

  it('may name a network beside a currency or instead of it', () => {
    const chains = (head: string, one = address): readonly string[] => readTagPack(pack(`- {address: '${one}', label: a}`, head)).labels.map(({ chain, address: stored }) => `${chain} ${stored}`)
    for (const head of ['title: t\nnetwork: ETH', 'title: t\nnetwork: eth\ncurrency: USDT', 'title: t\nnetwork: Ethereum\ncurrency: ETH']) assert.deepEqual(chains(head), [`ETH ${address.toLowerCase()}`])
    assert.deepEqual(chains('title: t\nnetwork: BTC', '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'), ['BTC 34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'])
    assert.deepEqual(refusal(pack(`- {address: '${address}', label: a}`, 'title: t\nnetwork: BSC\ncurrency: ETH')).problems, [`tags.0: address ${address} needs network or currency ETH or BTC`])
  })

  it('that are hostile do no harm', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\ntitle: t\ntags: [*c,*c,*c]`
    assert.match(refusal(bomb).message, /aliases/)
    assert.match(refusal('title: "x').message, /no YAML/)
    assert.match(refusal(Array.from({ length: 50_000 }, (_, i) => `k${i}: 1`).join('\n')).message, /not a TagPack/)
    assert.match(refusal('').message, /not a TagPack/)
    assert.match(refusal('!!js/function "function(){}"').message, /not a TagPack|no YAML/)
    assert.match(refusal('[1, 2]').message, /not a TagPack/)
    assert.match(refusal(`title: ${'x'.repeat(mostSent.bytes)}`).message, /bytes/)
    assert.match(refusal(pack(`- {address: '1'}\n`.repeat(mostSent.tags + 1))).message, new RegExp(`at most ${mostSent.tags}`))
    assert.deepEqual(refusal('title: t\n__proto__: {x: 1}\ntags:\n- {label: l}').problems, ['tags.0.address: Invalid input: expected nonoptional, received undefined'])
    for (const nested of ['[', '{a: [', '[ "x", ', '- ', '? ', '[\n']) assert.match(refusal(nested.repeat(100_000)).message, /64 deep/)
    assert.match(refusal('['.repeat(64)).message, /no YAML|not a TagPack/)
  })

  it('replace what the pack before under that name said; the same bytes again change nothing', async () => {
    const { store } = await freshStore()
    const labels = () => store.query('SELECT address, label, level, removed FROM labels FINAL ORDER BY address, label', {}, z.object({ address: z.string(), label: z.string(), level: z.string(), removed: z.boolean() }))
    const first = pack(`- {address: '${address}', label: a, confidence: forensic}\n- {address: '0x${'12'.repeat(20)}', label: b}`)
    const done = await importTagPack(store, 'mine', first)
    assert.deepEqual([done.source, done.labels, done.unchanged], ['import:mine', 2, false])
    assert.equal((await importTagPack(store, 'mine', first)).unchanged, true)
    // As packs were read before, with fewer classes.
    await store.insert('register_loads', [{ register: 'import:mine', version: done.sha256.slice(0, 12), sha256: done.sha256, rows: 2, loaded_at: new Date().toISOString() }])
    assert.deepEqual([(await importTagPack(store, 'mine', first)).unchanged, (await importTagPack(store, 'mine', first)).unchanged], [false, true])
    await importTagPack(store, 'mine', pack(`- {address: '${address}', label: a, confidence: ownership}`))
    assert.deepEqual((await labels()).map(({ label, level, removed }) => [label, level, removed]), [['b', 'unknown', true], ['a', 'ownership', false]])
    await importTagPack(store, 'mine', 'title: t\ntags: []')
    assert.ok((await labels()).every(({ removed }) => removed))
  })

  it('have a version of labels each, those too that say nothing', async () => {
    const { store } = await freshStore()
    const versions = async () => (await store.query('SELECT labels_version AS version FROM register_loads ORDER BY loaded_at', {}, z.object({ version: z.coerce.number() }))).map(({ version }) => version)
    for (const text of ['title: t\ntags: []', pack(`- {address: '${address}', label: a}`), 'title: t\ntags: []', 'title: u\ntags: []', pack(`- {address: '${address}', label: b}`)]) {
      await importTagPack(store, 'mine', text)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    assert.deepEqual(await versions(), [1, 2, 3, 4, 5])
  })

  it('are told to have as many labels as are stored: one address and label counts once, however it is written', async () => {
    const { store } = await freshStore()
    const genesis = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', twice = pack(`- {address: '${address}', label: a}
- {address: '${address.toLowerCase()}', label: a, confidence: ownership}
- {address: '${address}', label: b}
- {address: ${genesis}, label: a, currency: BTC}
- {address: ${genesis.toUpperCase()}, label: a, currency: BTC}`)
    const done = await importTagPack(store, 'mine', twice), again = await importTagPack(store, 'mine', twice)
    const [stored] = await store.query(`SELECT toUInt32((SELECT count() FROM labels FINAL WHERE NOT removed AND source = 'import:mine')) AS labels, toUInt32((SELECT sum(l.rows) FROM register_loads AS l WHERE l.register = 'import:mine')) AS loaded`, {}, z.object({ labels: z.number(), loaded: z.number() }))
    assert.deepEqual([stored, done.labels, again.labels, again.unchanged], [{ labels: 3, loaded: 3 }, 3, 3, true])
  })

  it('replace what an import that was ended in the middle left of the pack before', async () => {
    const { store } = await freshStore()
    const standing = async () => (await store.query('SELECT label FROM labels FINAL WHERE NOT removed ORDER BY label', {}, z.object({ label: z.string() }))).map(({ label }) => label)
    await importTagPack(store, 'mine', pack(`- {address: '${address}', label: first}`))
    const ended = { ...store, insert: async (...given: Parameters<typeof store.insert>) => { if (given[0] === 'register_loads') throw new Error('ended'); await store.insert(...given) } }
    await assert.rejects(importTagPack(ended, 'mine', pack(`- {address: '${address}', label: wrong}\n- {address: '0x${'12'.repeat(20)}', label: never meant}`)), /ended/)
    await importTagPack(store, 'mine', pack(`- {address: '${address}', label: right}`))
    assert.deepEqual(await standing(), ['right'])
  })

  it('are taken again where another pack that was ended in the middle stands in their place', async () => {
    const { store } = await freshStore()
    const standing = async () => (await store.query('SELECT label, toString(level) AS level FROM labels FINAL WHERE NOT removed ORDER BY label', {}, z.object({ label: z.string(), level: z.string() }))).map(({ label, level }) => `${label} ${level}`)
    const mine = pack(`- {address: '${address}', label: a}\n- {address: '0x${'12'.repeat(20)}', label: b}`)
    await importTagPack(store, 'mine', mine)
    for (const other of [pack(`- {address: '${address}', label: other}`), pack(`- {address: '${address}', label: a, confidence: ownership}\n- {address: '0x${'12'.repeat(20)}', label: b}`), 'title: t\ntags: []']) {
      const ended = { ...store, insert: async (...given: Parameters<typeof store.insert>) => { if (given[0] === 'register_loads') throw new Error('ended'); await store.insert(...given) } }
      await assert.rejects(importTagPack(ended, 'mine', other), /ended/)
      assert.deepEqual([(await importTagPack(store, 'mine', mine)).unchanged, (await importTagPack(store, 'mine', mine)).unchanged], [false, true])
      assert.deepEqual(await standing(), ['a unknown', 'b unknown'])
    }
  })

  it('stand alone, whoever imports another under the same name at the same time', async () => {
    const { store } = await freshStore()
    const standing = async () => (await store.query('SELECT label FROM labels FINAL WHERE NOT removed ORDER BY label', {}, z.object({ label: z.string() }))).map(({ label }) => label)
    const [one, other] = ['1', '2'].map((digit) => pack(`- {address: '0x${`1${digit}`.repeat(20)}', label: l${digit}}`))
    let asked = 0, go: () => void = () => undefined
    const both = new Promise<void>((resolve) => { go = resolve })
    // Neither writes before both know what was there.
    const together: Store = { ...store, query: async (...given) => {
      const rows = await store.query(...given)
      if (!JSON.stringify(given[0]).includes('register_loads') || asked >= 2) return rows
      asked += 1
      if (asked === 2) go()
      await both
      return rows
    } }
    await Promise.all([one, other].map((text) => importTagPack(together, 'mine', text ?? '')))
    const stands = await standing()
    assert.ok(stands.length === 1, stands.join())
    for (const [text, label] of [[one, 'l1'], [other, 'l2']] as const) {
      await importTagPack(store, 'mine', text ?? '')
      assert.deepEqual([await standing(), (await importTagPack(store, 'mine', text ?? '')).unchanged], [[label], true])
    }
    // As two left it before that was looked at.
    const [{ newest } = { newest: 0 }] = await store.query("SELECT toUInt32(max(r.labels_version)) AS newest FROM register_loads AS r", {}, z.object({ newest: z.number() }))
    await storeLabels(store, { source: 'import:mine', licence: '', version: newest, labels: readTagPack(one ?? '').labels })
    await store.insert('register_loads', [{ register: 'import:mine', version: 'another', sha256: '', rows: 1, labels_version: newest, loaded_at: '2026-01-01T00:00:00Z' }])
    assert.deepEqual([await standing(), (await importTagPack(store, 'mine', other ?? '')).unchanged, await standing()], [['l1', 'l2'], false, ['l2']])
  })

  it('are known to answers by the next import, where one was ended before they were', async () => {
    const { store } = await freshStore()
    const mine = pack(`- {address: '${address}', label: a, category: mixer}`)
    const ended = { ...store, execute: async (...given: Parameters<typeof store.execute>) => { if (given[0] === 'SYSTEM RELOAD DICTIONARY label_of') throw new Error('ended'); return store.execute(...given) } }
    const known = async () => (await store.query("SELECT dictGet('label_of', 'category', ('ETH', {address:String})) AS category", { address: address.toLowerCase() }, z.object({ category: z.string() })))[0]?.category
    assert.equal(await known(), 'unknown')
    await assert.rejects(importTagPack(ended, 'mine', mine), /ended/)
    await importTagPack(store, 'mine', mine)
    assert.equal(await known(), 'mixer')
  })

  it('name an entity as it was spelled first, by themselves or by another', async () => {
    const { store } = await freshStore()
    const entities = async () => (await store.query('SELECT source, entity FROM labels FINAL WHERE NOT removed ORDER BY source, address', {}, z.object({ source: z.string(), entity: z.string() }))).map(({ source, entity }) => `${source} ${entity}`)
    const tag = (digits: string, actor: string) => `- {address: '0x${digits.repeat(20)}', label: a, actor: ${actor}}`
    await importTagPack(store, 'a', pack([tag('11', 'Some Bank'), tag('12', 'some bank'), tag('13', 'Ölbank')].join('\n')))
    await importTagPack(store, 'b', pack([tag('21', 'SOME BANK'), tag('22', 'ÖLBANK'), tag('23', 'other')].join('\n')))
    const named = ['import:a Some Bank', 'import:a Some Bank', 'import:a Ölbank', 'import:b Some Bank', 'import:b Ölbank', 'import:b other']
    assert.deepEqual(await entities(), named)
    // Movements may be stored under a name whose labels have gone.
    for (const name of ['a', 'b']) await importTagPack(store, name, 'title: t\ntags: []')
    await importTagPack(store, 'c', pack(tag('31', 'sOME bANK')))
    assert.deepEqual(await entities(), ['import:c Some Bank'])
  })
})
