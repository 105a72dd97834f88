import assert from 'node:assert/strict'
import { AppError, messageOf } from '../../schemas/errors.js'
import { hideSecretsOf, withoutSecrets } from '../../schemas/secrets.js'

describe('secrets of a node\'s URL', () => {
  before(() => {
    for (const url of [
      'https://eth.example/v2/Zq7-hx93kLw0_PdUe41Tn', 'https://node.example/mainnet/rpc?apikey=Vb4%2Bq&network=mainnet',
      'http://operator:p%40ss.w0rd(1@btc.example:8332', 'http://operator:qwzx@btc.example:8332',
    ]) hideSecretsOf(url)
  })

  it('are cut out of what a node wrote, as written and as meant', () => {
    assert.equal(withoutSecrets('no app for https://eth.example/v2/Zq7-hx93kLw0_PdUe41Tn'), 'no app for https://eth.example/v2/[hidden]')
    assert.equal(withoutSecrets('key Vb4+q (Vb4%2Bq) is over its quota of mainnet'), 'key [hidden] ([hidden]) is over its quota of mainnet')
    assert.equal(withoutSecrets('operator:p@ss.w0rd(1 or p%40ss.w0rd(1'), 'operator:[hidden] or [hidden]')
    assert.equal(withoutSecrets(`Authorization: Basic ${Buffer.from('operator:p@ss.w0rd(1').toString('base64')}`), 'Authorization: Basic [hidden]')
  })

  it('leave words alone that only hold a short one', () => {
    assert.equal(withoutSecrets('qwzx of aqwzxb'), '[hidden] of aqwzxb')
  })

  it('reach no error, neither ours nor the text of another\'s', () => {
    assert.equal(new AppError('RPC_ERROR', 'node: Zq7-hx93kLw0_PdUe41Tn is no key').message, 'node: [hidden] is no key')
    assert.equal(messageOf(new Error('Zq7-hx93kLw0_PdUe41Tn')), '[hidden]')
  })
})
