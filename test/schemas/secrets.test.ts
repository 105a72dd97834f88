import assert from 'node:assert/strict'
import { AppError, messageOf } from '../../schemas/errors.js'
import { hideSecretsOf, lineWithoutSecrets, withoutSecrets } from '../../schemas/secrets.js'

describe('secrets of a node\'s URL', () => {
  before(() => {
    for (const url of [
      'https://eth.example/v2/Zq7-hx93kLw0_PdUe41Tn', 'https://node.example/mainnet/rpc?apikey=Vb4%2Bq&network=mainnet',
      'http://operator:p%40ss.w0rd(1@btc.example:8332', 'http://operator:qwzx@btc.example:8332', 'https://userwithoutapassword@node.example/', 'http://operator:173215@btc.example', 'http://operator:say%22so%22@btc.example', 'https://node.example/v1/abcdefghijkl', 'http://operator:hidden@btc.example', 'http://operator:%5Bhidden%5Dxyz9@btc.example', 'http://operator:hidden%5DTr0ub4dor@btc.example',
    ]) hideSecretsOf(url)
  })

  it('are cut out of what a node wrote, as written and as meant', () => {
    assert.equal(withoutSecrets('no app for https://eth.example/v2/Zq7-hx93kLw0_PdUe41Tn'), 'no app for https://eth.example/v2/[hidden]')
    assert.equal(withoutSecrets('key Vb4+q (Vb4%2Bq) is over its quota of mainnet'), 'key [hidden] ([hidden]) is over its quota of mainnet')
    assert.equal(withoutSecrets('operator:p@ss.w0rd(1 or p%40ss.w0rd(1'), 'operator:[hidden] or [hidden]')
    assert.equal(withoutSecrets(`Authorization: Basic ${Buffer.from('operator:p@ss.w0rd(1').toString('base64')}`), 'Authorization: Basic [hidden]')
  })

  it('may be a user without a password, a path of letters, or hold signs that JSON escapes', () => {
    assert.equal(withoutSecrets(`userwithoutapassword, Basic ${Buffer.from('userwithoutapassword:').toString('base64')}, /v1/abcdefghijkl`), '[hidden], Basic [hidden], /v1/[hidden]')
    assert.equal(lineWithoutSecrets(`${JSON.stringify({ msg: 'say"so"', deep: [{ told: 'say"so" 173215' }] })}\n`), `${JSON.stringify({ msg: '[hidden]', deep: [{ told: '[hidden] [hidden]' }] })}\n`)
  })

  it('change neither numbers nor names of a line', () => {
    assert.equal(lineWithoutSecrets('{"level":30,"time":1732150000,"height":173215,"qwzx":1,"msg":"173215 of qwzx"}\n'), '{"level":30,"time":1732150000,"height":173215,"qwzx":1,"msg":"[hidden] of [hidden]"}\n')
    assert.equal(lineWithoutSecrets('{"level":30,"height":173216}\n'), '{"level":30,"height":173216}\n')
  })

  it('leave words alone that only hold a short one', () => {
    assert.equal(withoutSecrets('qwzx of aqwzxb'), '[hidden] of aqwzxb')
  })

  it('leave a text as it is that was cleaned before', () => {
    assert.equal(withoutSecrets(withoutSecrets('qwzx is not hidden')), '[hidden] is not [hidden]')
    assert.equal(withoutSecrets('failed for [hidden]xyz9'), 'failed for [hidden]')
  })

  it('that begin in what looks like the mark are cut out of it', () => {
    for (const text of ['refused [hidden]Tr0ub4dor]', 'refused [hidden]Tr0ub4dor] for [hidden]']) {
      const clean = withoutSecrets(text)
      assert.equal(clean, text.replace('hidden]Tr0ub4dor', '[hidden]'))
      assert.equal(withoutSecrets(clean), clean)
    }
  })

  it('reach no error, neither ours nor the text of another\'s', () => {
    assert.equal(new AppError('RPC_ERROR', 'node: Zq7-hx93kLw0_PdUe41Tn is no key').message, 'node: [hidden] is no key')
    assert.equal(messageOf(new Error('Zq7-hx93kLw0_PdUe41Tn')), '[hidden]')
  })
})
