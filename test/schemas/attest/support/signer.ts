import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { Signer } from '../../../../schemas/attest/keys.js'
import { thumbprintOf } from '../../../../schemas/attest/publicKeys.js'

/** A signer with a key of its own. */
export const signerOf = (): Signer => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const point = publicKey.export({ format: 'jwk' }).x ?? ''
  return { key_id: thumbprintOf(point), point, ed25519: (text) => sign(null, Buffer.from(text), privateKey).toString('hex'), hmac: (text) => createHmac('sha256', 'a secret').update(text).digest('hex') }
}
