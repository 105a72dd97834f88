/** P2SH addresses of Bitcoin's networks that wrap a segwit script of version 0: who can spend by the one can spend by the other. */
import { createHash } from 'node:crypto'
import { base58check, segwit, sha256, toBase58check, toSegwit } from './addresses/encodings.js'
import type { Network } from './bitcoinNetworks.js'

/** How a network writes both. Test networks share a version byte and not what segwit addresses begin with, so the network is not told by an address. */
type Writing = Pick<Network, 'hrp' | 'p2sh'>
const scriptHash = (script: Buffer): Buffer => createHash('ripemd160').update(sha256(script)).digest()

/** The P2SH address that wraps the script of a segwit address of version 0 of the network; null where `address` is of another kind or network. */
export const wrappedIn = (address: string, { hrp, p2sh }: Writing): string | null => {
  const read = segwit(address, hrp)
  if (read?.version !== 0) return null
  return toBase58check(Buffer.concat([Buffer.of(p2sh), scriptHash(Buffer.concat([Buffer.of(0, read.program.length), read.program]))]))
}

/** The segwit address of `script` (0, length, program), where the network's P2SH `address` wraps it; null where it does not. */
export const wrapsScript = (address: string, script: Buffer, { hrp, p2sh }: Writing): string | null => {
  const body = base58check(address)
  const program = script.subarray(2)
  if (body?.length !== 21 || body[0] !== p2sh || script[0] !== 0 || script[1] !== program.length || ![20, 32].includes(program.length) || !scriptHash(script).equals(body.subarray(1))) return null
  return toSegwit(program, hrp)
}
