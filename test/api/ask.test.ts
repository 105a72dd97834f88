/** Questions in plain words and the summary of a chain, on recorded mainnet blocks. */
import assert from 'node:assert/strict'
import { operations } from '../../api/registry.js'
import { examples } from '../../api/operations/rag/ask/subjects.js'
import { isUnknown, understand } from '../../api/operations/rag/ask/understand.js'
import { nextCalls } from '../../api/operations/rag/ask/nextCalls.js'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

const tx = '0x400b4924bddb24822595cee4c2792a1b5b33d21eab97c523d08912cfd0e1e55a'
const address = '0x4d5f47fa6a74757f35c14fd3a6ef8e3c9bc514e8'
const questions = [
  'What are whales moving right now?', `Who is ${address} and is it sanctioned by OFAC?`, `Explain ${tx}`, 'What happened in block 22,431,084?', 'gas?', 'Is USDC being minted or burned?', 'Which tokens are trending on DEXes?',
  'Funding of BTC on Hyperliquid', 'Did anyone use Tornado Cash?', 'New Uniswap pools for PEPE', 'Were there liquidations or alerts?', 'How much went into exchanges like Binance?', 'Is 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa sanctioned?', 'What does smart money do in this market?',
  'the newest blocks please', 'hello there', `is ${address} risky, and where did its money go?`, 'show sandwich attacks in block 22,431,083',
]

describe('questions in plain words', function () {
  this.timeout(120_000)
  let service: Service
  const ask = async (question: string, chain = 'ETH'): Promise<any> => (await service.call('POST /v1/ask', { body: { question, chain } })).body
  before(async () => {
    service = await startService()
    await fillRecorded(service.store, [12914944, 17034869, 22431083, 22431084])
  })
  after(() => service.stop())

  it('answers in sentences of its evidence only, each with its chunk', async () => {
    for (const question of questions) {
      const { answer, evidence, _meta: meta, coverage_status: status } = await ask(question)
      assert.equal(status.chain, 'ETH')
      if (evidence.length === 0) assert.ok(answer === null && meta.empty.empty_reason === 'stale_pipeline' && meta.empty.is_successful_empty === false)
      else assert.equal(answer, evidence.slice(0, 5).map((one: any) => `${one.text} [${one.chunk_id}]`).join(' '))
    }
  })

  it('says the question as it was asked, of Bitcoin too, whose hashes have no 0x', async () => {
    const question = `What is ${tx}, and who is 0x${'a1'.repeat(20)}?`
    await service.store.execute("INSERT INTO btc_parties (id, address, script_type) SELECT unhex(repeat('a1', 20)), 'bc1qsomebody', 'witness_v0_keyhash'")
    for (const chain of ['ETH', 'BTC', 'ALL']) assert.equal((await ask(question, chain)).question, question, chain)
  })

  it('finds what the question names, and what it is about', async () => {
    const whales = await ask('What are whales moving?')
    assert.deepEqual(new Set(whales.evidence.map((one: any) => one.topic)), new Set(['whale_transfer']))
    const dollars = whales.evidence.map((one: any) => one.value_usd)
    assert.deepEqual(dollars, [...dollars].sort((a: number, b: number) => b - a))
    const [largest] = (await service.call('GET /v1/whales/recent?limit=200')).body.whales.filter((one: any) => one.from_address !== one.to_address && one.kind !== 'withdrawal').sort((a: any, b: any) => b.value_usd - a.value_usd)
    assert.equal(whales.evidence[0].tx_hash, largest.tx_hash)
    const named = await ask(`What did ${address.toUpperCase().replace('0X', '0x')} do?`)
    assert.ok(named.evidence.length > 0 && named.evidence.every((one: any) => one.text.includes(address)))
    const block = await ask('What happened in block 22,431,083?')
    assert.ok(block.evidence.length > 0 && block.evidence.every((one: any) => one.block_number === 22431083))
    assert.equal(block.window_blocks, 0)
    assert.equal((await ask('What happened in block 5?')).answer, null)
    const [first] = whales.evidence
    const explained = (await ask(`Explain ${first.tx_hash}`)).evidence
    assert.ok(explained.length > 0 && explained.every((one: any) => one.tx_hash === first.tx_hash && one.score === 100))
    assert.deepEqual((await ask('whales', 'ALL')).evidence, (await ask('whales')).evidence)
  })

  it('takes words whole: what only begins or ends like one is another word', async () => {
    const about = (question: string) => [...understand(question).subjects]
    for (const trap of ['gasoline and diesel', 'whalebone corsets', 'no gas', 'degas', 'the exchangeable unswappable poolside', 'fundings', 'longshore', 'gas_station', 'without any whales', 'except the mixers']) assert.deepEqual(about(trap), [], trap)
    assert.deepEqual([about('Gas!'), about('gas-fees'), about('Swaps, no gas'), about('Were there no liquidations?'), about('priority\n fee')], [['gas'], ['gas'], ['swaps'], ['liquidations'], ['gas']])
    assert.deepEqual(understand('Swaps, no gas').words, ['swaps'])
    // "uni" and "sol" stand in nearly every text: in Uniswap, and in "sold".
    const texts = (await ask('Tell me of swaps by uniswap')).evidence.map((one: any) => one.text as string)
    assert.ok(texts.some((text: string) => /uniswap/i.test(text)))
    for (const part of ['uni', 'sol', 'stablec']) assert.deepEqual((await ask(`anything with ${part}`)).evidence, [], part)
    const [swap] = (await ask('Large swaps of WBTC in block 22,431,083?')).evidence.filter(({ topic }: any) => topic === 'swap')
    assert.match(String(swap?.text), /^Large swap: \$67,817 on uniswap_v3, 0x1d71fa2831f20d304cd19f14845d609a241a2d9c sold WBTC \(0x2260fac5e5542a773aa44fbcfedf7c193bc2c599\) for WETH \(0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2\), in /, 'by the symbols of listed tokens, as transfers are told')
    const sold = (await ask('anything with SOLD')).evidence
    assert.ok(sold.length > 0 && sold.every((one: any) => / sold /i.test(one.text)))
  })

  it('takes no number for a block that no height is, and none that the question does not call one', async () => {
    assert.deepEqual(understand('What is in block 1,000,000,000,000,000,000,000?').blocks, [])
    assert.equal((await service.call('POST /v1/ask', { body: { question: 'What is in block 1,000,000,000,000,000,000,000?' } })).status, 200)
    assert.deepEqual(['#1 whale', 'the #3 exchange by inflow', 'block #7', 'block no. 8', 'blocks 9,000 and block number #10', 'BLOCK HEIGHT 22_431_084'].map((question) => understand(question).blocks), [[], [], [7], [8], [9000, 10], [22431084]])
    assert.deepEqual(['blocks 1005 and 7', 'Blocks 5, 6 and #9?', 'blocks 18,000,000 to 18,000,003', 'block 5 to 2 wallets'].map((question) => understand(question).blocks), [[1005, 7], [5, 6, 9], [18_000_000, 18_000_003], [5]])
  })

  it('reads an address of Bitcoin as a picture of squares has it, in capitals', () => {
    assert.deepEqual(understand('What did BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ do?').bitcoinAddresses, ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'])
  })

  it('says what can be asked where it understands nothing', async () => {
    for (const question of ['hello there', 'gasoline', 'whalebone?', 'no gas']) assert.deepEqual((await ask(question)).can_ask, examples, question)
    for (const question of ['gas?', `Explain ${tx}`, 'block 5', address, 'PEPE', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa']) assert.deepEqual((await ask(question)).can_ask, [], question)
    for (const example of examples) assert.equal(isUnknown(understand(example)), false, example)
  })

  it('says why there is nothing', async () => {
    assert.deepEqual((await ask('whales', 'BTC'))._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    assert.deepEqual((await ask('whales', 'SOL'))._meta.empty, { is_successful_empty: false, empty_reason: 'unsupported_input' })
    assert.equal((await service.call('POST /v1/ask', { body: { question: 'whales', chain: 'DOGE' } })).body.detail.error, 'UNKNOWN_CHAIN')
    assert.equal((await service.call('POST /v1/ask', { body: { chain: 'ETH' } })).status, 422)
  })

  it('names calls that exist, with arguments that they take, and the right ones first', () => {
    for (const question of questions) {
      for (const chain of ['ETH', 'ALL', 'HL', 'BTC']) {
        const calls = nextCalls(understand(question), chain, true)
        assert.ok(calls.length >= 1 && calls.length <= 6)
        for (const { name, arguments: args } of calls) {
          const operation = operations.find((one) => one.name === name)
          assert.ok(operation?.tool === true, name)
          operation.input.strict().parse(args)
        }
      }
    }
    const first = (question: string, chain = 'ETH') => nextCalls(understand(question), chain, false).map(({ name }) => name)
    assert.deepEqual(first(questions[1] ?? ''), ['get_wallet', 'screen_address', 'get_network_summary'])
    assert.deepEqual(first(`Explain ${tx}`), ['list_hops', 'get_network_summary'])
    assert.deepEqual(nextCalls(understand('What happened in block 22,431,084?'), 'ETH', false)[0], { name: 'get_feed_block', arguments: { chain: 'ETH', block_number: 22431084 }, why: 'Everything notable in this block' })
    const onVenue = nextCalls(understand(`Explain ${tx} in block 22431084`), 'HL', true).map(({ name, arguments: args }) => [name, args['chain']])
    assert.deepEqual(onVenue, [['list_hops', 'ETH'], ['get_receipt', 'ETH'], ['get_feed_block', 'ETH'], ['get_network_summary', 'HL']])
    assert.deepEqual(first('Funding of BTC on Hyperliquid'), ['get_hl_pulse', 'get_hl_funding', 'get_hl_flow_history', 'get_network_summary'])
    assert.deepEqual(first(questions[12] ?? ''), ['get_wallet', 'screen_address', 'get_network_summary'])
  })

  it('names the tools that answer the commonest questions', async () => {
    const calls = (question: string, chain = 'ETH') => nextCalls(understand(question), chain, false).map(({ name, arguments: args }) => [name, args] as const)
    const names = (question: string, chain = 'ETH') => calls(question, chain).map(([name]) => name)
    const args = (question: string, name: string, chain = 'ETH') => calls(question, chain).find(([one]) => one === name)?.[1]
    assert.deepEqual(names(`is ${address} risky and why?`), ['get_wallet_compliance', 'screen_abuse', 'get_wallet', 'screen_address', 'get_network_summary'])
    assert.deepEqual(names('Is 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa a scam?', 'BTC').slice(0, 2), ['get_wallet_compliance', 'screen_abuse'])
    assert.deepEqual(calls(`trace where the 100 ETH of ${address} went`).slice(0, 2), [['trace_funds', { address, chain: 'ETH', direction: 'destination' }], ['list_wallet_transfers', { address, chain: 'ETH', direction: 'out', limit: 50 }]])
    assert.equal(args(`Where did the money of ${address} come from?`, 'trace_funds')?.['direction'], 'source')
    assert.equal(names('which traders on the venue are profitable?')[0], 'get_hl_traders')
    assert.deepEqual(args('show sandwich attacks in block 17000000', 'list_mev'), { chain: 'ETH', limit: 20, from_block: 17000000, to_block: 17000000 })
    assert.equal(names('coinjoin transactions', 'BTC')[0], 'list_coinjoins')
    assert.equal(names('emerging tokens')[0], 'list_emerging_tokens')
    assert.deepEqual(['which whales moved money?', 'How much went into exchanges?', 'Which alerts are there?', 'How is the market?'].map((question) => calls(question, 'ALL')[0]?.[1]['chain']), ['ALL', 'ALL', 'ALL', 'ALL'])
    assert.deepEqual([understand('which exchange received most USDT in the last hour?').hours, ...['exchange inflows in the past 3 days', 'inflows 12h', 'inflows of the last week', 'inflows', 'inflows in the last 90 days'].map((question) => args(question, 'list_exchange_flows')?.['hours'])], [1, 72, 12, 168, 24, 168])
    assert.equal(args('How were perps doing in the last week?', 'get_hl_pulse')?.['hours'], 24)
    const coin = (question: string, chain = 'ETH') => args(question, 'get_hl_flow_history', chain)?.['coin']
    assert.deepEqual(['funding of SYN-BTC', 'funding of kPEPE on Hyperliquid', 'perps of xyz:AAPL', 'funding of $HYPE', 'funding rates?', 'price of SYN-BTC', 'price of BTC', 'perps: BTC, ETH'].map((question) => coin(question)), ['SYN-BTC', 'kPEPE', 'xyz:AAPL', 'HYPE', undefined, 'SYN-BTC', undefined, 'BTC'], 'a coin as the venue writes it')
    assert.deepEqual([coin('What of SYN-DOGE?', 'HL'), understand('price of SYN-BTC').symbols, names('price of SYN-BTC').includes('list_swap_pairs')], ['SYN-DOGE', [], false], 'which is no token')
    assert.deepEqual([understand('price of token:PEPE, or eth:USDC').symbols, understand('funding of BTC and kPEPE').coins], [['PEPE', 'USDC'], ['BTC', 'kPEPE']], 'a word before a token makes no coin of it, and what is asked first goes first')
    await service.store.execute("INSERT INTO tokens SELECT 'ETH', toFixedString(unhex(repeat(digit, 40)), 20), symbol, symbol, 8, false, source, 1 FROM values('digit String, symbol String, source String', ('8', 'QQQ', 'test'), ('9', 'QQQ', 'node'), ('7', 'RRR', 'test'), ('6', 'RRR', 'test'), ('5', 'SSS', 'node'))")
    const priced = async (symbol: string) => (await ask(`what is the price of ${symbol}`)).next_calls.filter(({ name }: any) => ['get_token', 'list_candles'].includes(name)).map(({ arguments: given }: any) => given.token ?? given.address)
    assert.deepEqual([await priced('QQQ'), await priced('RRR'), await priced('SSS')], [[`0x${'8'.repeat(40)}`, `0x${'8'.repeat(40)}`], [], []], 'of tokens on lists, and of several of one symbol none')
  })

  it('tells of a block only what it is asked about, and that there is nothing of it', async () => {
    const { answer, evidence, _meta: meta, next_calls: calls } = await ask('is tornado cash involved in block 22,431,083?')
    assert.deepEqual([answer, evidence, meta.empty], [null, [], { is_successful_empty: true, empty_reason: 'no_signal' }])
    assert.equal(calls[0].name, 'get_feed_block')
  })

  it('names on each chain only calls that are answered, and about that chain', async () => {
    const known = new Map<string, unknown>()
    const answered = async (name: string, args: Record<string, unknown>): Promise<unknown> => {
      const [method = '', route = ''] = operations.find((one) => one.name === name)?.route.split(' ') ?? [], rest = { ...args }
      const path = route.replace(/\{(\w+)\}/g, (_, field: string) => { const value = rest[field]; delete rest[field]; return String(value) })
      const query = Object.entries(rest).map(([field, value]) => `${field}=${String(value)}`).join('&')
      const { status, body, headers } = await service.call(method === 'POST' ? `POST ${path}` : `GET ${path}?${query}`, method === 'POST' ? { body: args } : {})
      return [status, (body._meta?.empty?.empty_reason ?? headers.get('x-empty-reason')) === 'unsupported_input']
    }
    const wrong: unknown[] = []
    for (const chain of ['ETH', 'ALL', 'HL', 'BTC', 'SOL']) {
      for (const question of [...examples, ...questions]) {
        for (const { name, arguments: args } of nextCalls(understand(question), chain, false)) {
          if (chain === 'SOL' && name === 'get_network_summary') continue
          const key = JSON.stringify([name, args])
          if (!known.has(key)) known.set(key, await answered(name, args))
          if (JSON.stringify(known.get(key)) !== '[200,false]') wrong.push([chain, question, key, known.get(key)])
        }
      }
    }
    assert.deepEqual(wrong, [])
    const about = (question: string, chain: string) => nextCalls(understand(question), chain, false).slice(0, -1).map(({ name, arguments: args }) => [name, args['chain'] ?? null])
    assert.deepEqual(['Which alerts are there?', 'the newest blocks', 'Were there liquidations?', 'What does gas cost?'].map((question) => about(question, 'HL')), [[['list_alerts', 'HL']], [], [['get_hl_alerts', null]], []])
    assert.deepEqual([about('Which alerts are there?', 'BTC'), about('What was swapped for PEPE?', 'BTC'), about(`Who is ${address}?`, 'HL')[0]], [[['list_alerts', 'BTC']], [], ['get_hl_trader', null]])
    for (const chain of ['HL', 'SOL']) assert.equal((await ask('What are whales moving?', chain)).window_blocks, 0, chain)
  })

  it('sums up the chain', async () => {
    const summary = (await service.call('GET /v1/network/summary?chain=ETH')).body
    const overview = (await service.call('GET /v1/dashboard/overview')).body
    const { whales, ...hour } = overview.last_hour
    const { logs: _, whale_usd: __, perps, ...hourly } = summary.hourly
    assert.equal(perps, null, 'the venue is no part of a chain')
    assert.deepEqual([summary.latest_block, summary.whales_1h, hourly], [22431084, whales, hour])
    assert.equal(summary.health_score, overview.health_score)
    assert.ok(summary.whale_usd === undefined && summary.hourly.whale_usd > 100_000)
    const all = (await service.call('GET /v1/network/summary?chain=ALL')).body
    assert.deepEqual([all.latest_block, all.hourly, all.coverage_status.chain], [null, summary.hourly, 'ALL'])
    assert.deepEqual([summary.internal_complete, all.internal_complete], [false, false])
    const nothing = (await service.call('GET /v1/network/summary?chain=BTC')).body
    assert.deepEqual([nothing.internal_complete, (await service.call('GET /v1/network/summary?chain=SOL')).body.internal_complete], [null, null], 'of nothing nothing is known')
    assert.deepEqual([nothing.hourly, nothing.whales_1h, nothing._meta.empty.empty_reason], [null, null, 'data_gap'])
  })
})
