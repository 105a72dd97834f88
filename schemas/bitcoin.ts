/** Addresses of Bitcoin's networks: whether a text is one, and the id it has in tables that chains share. */
import { base58check, segwit, sha256 } from './addresses/encodings.js'
import { networks, type Network } from './bitcoinNetworks.js'

/** How a network writes addresses. */
type Writing = Pick<Network, 'hrp' | 'p2pkh' | 'p2sh'>
const every: readonly Writing[] = Object.values(networks)

/** Script type of an address as Bitcoin writes it, segwit in lower case; null where the text is none of `network`, or of any where none is named. */
export const bitcoinScriptType = (address: string, network?: Writing): string | null => {
  const asked = network === undefined ? every : [network]
  const written = asked.find(({ hrp }) => address.startsWith(`${hrp}1`))
  if (written !== undefined) {
    const read = segwit(address, written.hrp)
    if (read === null) return null
    if (read.version === 0) return read.program.length === 20 ? 'witness_v0_keyhash' : 'witness_v0_scripthash'
    return read.version === 1 && read.program.length === 32 ? 'witness_v1_taproot' : 'witness_unknown'
  }
  if (address.length < 26 || address.length > 35) return null
  const body = base58check(address)
  const version = body?.length === 21 ? body[0] : undefined
  return asked.some(({ p2pkh }) => version === p2pkh) ? 'pubkeyhash' : asked.some(({ p2sh }) => version === p2sh) ? 'scripthash' : null
}

/** The text as Bitcoin writes it: segwit addresses may come in upper case. */
export const bitcoinText = (address: string): string => (address === address.toUpperCase() && every.some(({ hrp }) => address.startsWith(`${hrp.toUpperCase()}1`)) ? address.toLowerCase() : address)

/** Id of an address in tables that chains share: the first 20 bytes of SHA-256 of its text, as hex with 0x. */
export const bitcoinId = (address: string): string => `0x${sha256(Buffer.from(address)).subarray(0, 20).toString('hex')}`

/**
 * Which rules clusters, links to change and peel chains are made by. Blocks that older ones saw are done again, from the first of them on: a migration marks those
 * that the new rules see no otherwise. 2: what anybody may spend is nobody's. 3: a script without an address may be change as well. 4: an address that was spent from before is not new.
 */
export const clusterRules = 4
