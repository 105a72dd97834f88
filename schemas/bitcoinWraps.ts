/** P2SH addresses of Bitcoin that wrap a segwit script of version 0: who can spend by the one can spend by the other. */
import { createHash } from 'node:crypto'
import { base58, base58Of, bech32, bitcoinScriptType, polymod, sha256 } from './bitcoin.js'

const versions: Readonly<Record<string, number>> = { bc: 5, tb: 196, bcrt: 196 }
const scriptHash = (script: Buffer): Buffer => createHash('ripemd160').update(sha256(script)).digest()

const base58Text = (body: Buffer): string => {
  let number = BigInt(`0x${Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)]).toString('hex')}`), text = ''
  for (; number > 0n; number /= 58n) text = (base58[Number(number % 58n)] ?? '') + text
  return text
}

/** Groups of `from` bits as groups of `to` bits; what is left over is filled up where the groups shrink, and dropped where they grow. */
const regrouped = (values: readonly number[], from: number, to: number): number[] => {
  const groups: number[] = []
  let held = 0, bits = 0
  for (const value of values) {
    held = (held << from) | value
    for (bits += from; bits >= to;) { bits -= to; groups.push((held >>> bits) & ((1 << to) - 1)); held &= (1 << bits) - 1 }
  }
  if (to < from && bits > 0) groups.push((held << (to - bits)) & ((1 << to) - 1))
  return groups
}

/** The P2SH address that wraps the script of a segwit address of version 0; null where `address` is of another kind. */
export const wrappedIn = (address: string): string | null => {
  if (!['witness_v0_keyhash', 'witness_v0_scripthash'].includes(bitcoinScriptType(address) ?? '')) return null
  const [net = ''] = address.split('1')
  const program = Buffer.from(regrouped([...address.slice(net.length + 2, -6)].map((letter) => bech32.indexOf(letter)), 5, 8))
  return base58Text(Buffer.concat([Buffer.from([versions[net] ?? 5]), scriptHash(Buffer.concat([Buffer.from([0, program.length]), program]))]))
}

/** The segwit address of `script` (0, length, program), where the main net's P2SH `address` wraps it; null where it does not. */
export const wrapsScript = (address: string, script: Buffer): string | null => {
  const body = base58Of(address)
  const program = script.subarray(2)
  if (body?.[0] !== 5 || script[0] !== 0 || script[1] !== program.length || ![20, 32].includes(program.length) || !scriptHash(script).equals(body.subarray(1))) return null
  const data = [0, ...regrouped([...program], 8, 5)]
  const sum = polymod([3, 3, 0, 2, 3, ...data, 0, 0, 0, 0, 0, 0]) ^ 1
  return `bc1${[...data, ...[25, 20, 15, 10, 5, 0].map((place) => (sum >>> place) & 31)].map((value) => bech32[value]).join('')}`
}
