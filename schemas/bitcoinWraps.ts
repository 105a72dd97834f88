/** P2SH addresses of Bitcoin that wrap a segwit script of version 0: who can spend by the one can spend by the other. */
import { createHash } from 'node:crypto'
import { base58check, segwit, sha256, toBase58check, toSegwit } from './addresses/encodings.js'

const versions = new Map([['bc', 5], ['tb', 196], ['bcrt', 196]])
const scriptHash = (script: Buffer): Buffer => createHash('ripemd160').update(sha256(script)).digest()

/** The P2SH address that wraps the script of a segwit address of version 0; null where `address` is of another kind. */
export const wrappedIn = (address: string): string | null => {
  const [net = ''] = address.split('1')
  const version = versions.get(net)
  const read = version === undefined ? null : segwit(address, net)
  if (version === undefined || read?.version !== 0) return null
  return toBase58check(Buffer.concat([Buffer.of(version), scriptHash(Buffer.concat([Buffer.of(0, read.program.length), read.program]))]))
}

/** The segwit address of `script` (0, length, program), where the main net's P2SH `address` wraps it; null where it does not. */
export const wrapsScript = (address: string, script: Buffer): string | null => {
  const body = base58check(address)
  const program = script.subarray(2)
  if (body?.length !== 21 || body[0] !== 5 || script[0] !== 0 || script[1] !== program.length || ![20, 32].includes(program.length) || !scriptHash(script).equals(body.subarray(1))) return null
  return toSegwit(program, 'bc')
}
