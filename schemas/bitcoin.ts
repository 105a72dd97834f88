/** Addresses of Bitcoin: whether a text is one, and the id it has in tables that chains share. */
import { base58check, segwit, sha256 } from './addresses/encodings.js'

/** Script type of an address of Bitcoin (main, test or regtest) as Bitcoin writes it, segwit in lower case; null where the text is none. */
export const bitcoinScriptType = (address: string): string | null => {
  const [, net] = /^(bc|tb|bcrt)1/.exec(address) ?? []
  if (net !== undefined) {
    const read = segwit(address, net)
    if (read === null) return null
    if (read.version === 0) return read.program.length === 20 ? 'witness_v0_keyhash' : 'witness_v0_scripthash'
    return read.version === 1 && read.program.length === 32 ? 'witness_v1_taproot' : 'witness_unknown'
  }
  if (address.length < 26 || address.length > 35) return null
  const body = base58check(address)
  const version = body?.length === 21 ? body[0] : undefined
  return version === 0 || version === 111 ? 'pubkeyhash' : version === 5 || version === 196 ? 'scripthash' : null
}

/** The text as Bitcoin writes it: segwit addresses may come in upper case. */
export const bitcoinText = (address: string): string => (/^(BC|TB|BCRT)1/.test(address) && address === address.toUpperCase() ? address.toLowerCase() : address)

/** Id of an address in tables that chains share: the first 20 bytes of SHA-256 of its text, as hex with 0x. */
export const bitcoinId = (address: string): string => `0x${sha256(Buffer.from(address)).subarray(0, 20).toString('hex')}`
