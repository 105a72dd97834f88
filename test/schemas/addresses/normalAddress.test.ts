/** Addresses of every chain that sanctions lists name. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { normalAddress } from '../../../schemas/addresses/normalAddress.js'

const good: readonly (readonly [given: string, form: string, chain: string, text?: string])[] = [
  ['0x098B716B8Aaf21512996dC57EB0615e2383E2f96', 'EVM', '', '0x098b716b8aaf21512996dc57eb0615e2383e2f96'], ['0X098B716B8AAF21512996DC57EB0615E2383E2F96', 'EVM', '', '0x098b716b8aaf21512996dc57eb0615e2383e2f96'],
  ['12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h', 'base58 key', 'BTC'], ['3Lpoy53K625zVeE47ZasiG5jGkAxJ27kh1', 'base58 script', 'BTC'], ['bc1q72ud4m6zf5g37jkhc2ty95zm5vel9ufdxquqpm', 'BTC segwit', 'BTC'],
  ['BC1Q72UD4M6ZF5G37JKHC2TY95ZM5VEL9UFDXQUQPM', 'BTC segwit', 'BTC', 'bc1q72ud4m6zf5g37jkhc2ty95zm5vel9ufdxquqpm'], ['bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr', 'BTC segwit', 'BTC'],
  ['TA3941uFAvmVibSkQ6fMJXxmaSNovX86mz', 'TRON', 'TRON'], ['LaizKtS5DUhPuP1nTQcc83MS7HwK6vk85z', 'LTC key', 'LTC'], ['XnPFsRWTaSgiVauosEwQ6dEitGYXgwznz2', 'DASH key', 'DASH'], ['t1g7wowvQ8gn2v8jrU1biyJ26sieNqNsBJy', 'ZEC key', 'ZEC'],
  ['GPwg61XoHqQPNmAucFACuQ5H9sGCDv9TpS', 'BTG key', 'BTG'], ['DFFJhnQNZf8rf67tYnesPu7MuGUpYtzv7Z', 'DOGE, XVG or DGB key', ''], ['rnXyVQzgxZe7TR1EPzTkGj2jxH4LMJYh66', 'XRP', 'XRP'],
  ['884Bz8UH63aYsjVdkfWfScRYWZGGNbjFL7pztqvWNSrtYT4reFSwyvkCj9KEGUtheHhhMUj87ciTBFyzoesrMJ4L1FvSoxL', 'XMR', 'XMR'], ['bnb136ns6lfw4zs5hg4n85vdthaad7hq5m4gtkgf23', 'BNB', 'BNB'], ['42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi', 'SOL', 'SOL'],
  ['bitcoincash:qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq', 'BCH cashaddr', 'BCH', 'qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq'], ['GAHK7EEG2WWHVKDNT4CEQFZGKF2LGDSW2IVM4S5DP42RBW3K6BTODB4A', 'XLM', 'XLM'],
  ['SGP2HJQBCDEX4B4PH7TVIWJZ4YZZX5C5B3TQ24QA3USY7O5X2KO5V2FPXM', 'ALGO', 'ALGO'], ['12154055877559948854L', 'LSK', 'LSK'], ['27f405bf5c5caf0db56316b76dfc3067846cffcf8f2ffda5d5f754114ec1db35b3f6310fb25b', 'SC', 'SC'],
  ['RPW95tQG7y47QTqS6cNA4EQ5mBmATrG91o', 'KMD key', 'KMD'], ['rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh (Address tag 102334770)*', 'XRP', 'XRP', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh'],
]

describe('addresses in their normal form', () => {
  it('reads every form with its checksum; one changed letter is refused', () => {
    for (const [given, form, chain, text = given] of good) {
      const read = normalAddress(given)
      assert.deepEqual([read.text, read.form, read.chain, read.reason, read.repaired, read.key], [text, form, chain, null, null, text.toLowerCase()], given)
      if (['SOL', 'LSK', 'SC', 'EVM'].includes(form)) continue
      const place = text.length - 9
      const other = text[place] === 'q' ? 'p' : text[place] === '2' ? '3' : '2'
      const changed = text.slice(0, place) + other + text.slice(place + 1)
      assert.notEqual(normalAddress(changed).reason, null, changed)
    }
  })

  it('an EVM address in mixed case must have the case of its checksum', () => {
    assert.equal(normalAddress('0x098B716B8Aaf21512996dC57EB0615e2383E2f96').reason, null)
    assert.match(normalAddress('0x098b716B8Aaf21512996dC57EB0615e2383E2f96').reason ?? '', /EIP-55/)
    assert.match(normalAddress('0x098b').reason ?? '', /40 hex digits/)
  })

  it('letters that look alike are mended and said; others are refused', () => {
    const mended = normalAddress('\u0422\u0041\u0441zzzz')
    assert.notEqual(mended.reason, null)
    const tron = 'TAziD1gseQZjy2xN7EjcbLE9FnvqKrKtBU'
    const read = normalAddress('ТAziD1gsеQZjy2xN7EϳcbLE9FnvqKrKtВU')
    assert.deepEqual([read.text, read.form, read.reason, read.repaired], [tron, 'TRON', null, 'letters of other scripts that look alike'])
    assert.deepEqual(normalAddress(`\u202e${tron}\u200b `).text, tron)
    assert.match(normalAddress('T\u4e00ziD1gseQZjy2xN7EjcbLE9FnvqKrKtBU').reason ?? '', /no address has/)
  })

  it('other texts of one wallet are found: Litecoin\'s older scripts, Monero\'s integrated addresses', () => {
    const script = normalAddress('M8yFL6SFC6TreATegTyuSYkDfDRbisdpT3')
    assert.deepEqual([script.form, script.also], ['LTC script', ['32m72d2heycrqfbkaazzcuvplwq9k3sydt']])
    assert.deepEqual(normalAddress('884Bz8UH63aYsjVdkfWfScRYWZGGNbjFL7pztqvWNSrtYT4reFSwyvkCj9KEGUtheHhhMUj87ciTBFyzoesrMJ4L1FvSoxL').also, [])
    const integrated = normalAddress('4JzWjhFVF4DYjgTEAhgGpCfsjdTeMbUTU6cyR4JV1R7k2Eej9rGT8JpFiYDa4tZM6RZiFrHmMzgSrhHEqpDYKBe5FikhGcn7t6YTy95PLm')
    assert.deepEqual([integrated.reason, integrated.also], [null, [normalAddress('49HqitRzdnhYjgTEAhgGpCfsjdTeMbUTU6cyR4JV1R7k2Eej9rGT8JpFiYDa4tZM6RZiFrHmMzgSrhHEqpDYKBe5B2ufNsL').key]])
  })

  it('TRON in hex and Bitcoin Cash lead to the text of the same key', () => {
    const hex = normalAddress('41b4ae4b2f9b9a5a1b3c7f1d6b1e2d3c4b5a697887')
    assert.deepEqual([hex.form, hex.also], ['TRON', ['0xb4ae4b2f9b9a5a1b3c7f1d6b1e2d3c4b5a697887']])
    assert.deepEqual(normalAddress('qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq').also.length, 1)
  })

  it('a text whose case was lost keeps the key of its listing, and is no address by itself', () => {
    const tron = 'TA3941uFAvmVibSkQ6fMJXxmaSNovX86mz'
    assert.equal(normalAddress(tron.toLowerCase()).key, normalAddress(tron).key)
    assert.match(normalAddress(tron.toLowerCase()).reason ?? '', /case/)
  })

  it('takes any text without throwing, and reads its own result as the same', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom(...good.map(([text]) => text))), (text) => {
      const read = normalAddress(text)
      if (read.reason === null) assert.equal(normalAddress(read.text).text, read.text)
    }))
  })
})
