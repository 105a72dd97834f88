/** The forms addresses have, by asset. Each reads a text: what it is in its normal form, why it is none of it, or null where it does not look like it at all. */
import { createHash } from 'node:crypto'
import type * as Utils from 'viem/utils'
import { loadPackage } from '../loadPackage.js'
import { base32, base58, base58check, bech32, cashaddr, crc16, moneroBytes, rippleCheck, segwit as segwitProgram, toBase58check, toMonero } from './encodings.js'

const { getAddress, keccak256 } = loadPackage('viem/utils') as typeof Utils

/** text: the normal form. same: other texts of the same key or script. unproven: the form has no checksum, or one that is not looked at. kind: form and chain, where the form itself does not say. */
export interface Read { readonly text: string; readonly same?: readonly string[]; readonly unproven?: boolean; readonly kind?: { readonly form: string; readonly chain: string } }
/** form: what kind of address; chain: the chain it is one of, '' where the form does not tell. */
export interface Form { readonly form: string; readonly chain: string; read(text: string): Read | { readonly wrong: string } | null }

const wrong = (what: string) => ({ wrong: what })

const evm: Form = { form: 'EVM', chain: '', read: (text) => {
  if (!/^0x/i.test(text)) return null
  if (!/^0x[0-9a-f]{40}$/i.test(text)) return wrong('0x is followed by 40 hex digits in an address')
  const digits = text.slice(2)
  const plain = `0x${digits.toLowerCase()}` as const
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return mixed && getAddress(plain) !== `0x${digits}` ? wrong('the upper and lower case (EIP-55) is not that of this address: it may be mistyped') : { text: plain }
} }

const segwit = (chain: string, prefixes: readonly string[]): Form => ({ form: `${chain} segwit`, chain, read: (text) => {
  const plain = text === text.toUpperCase() ? text.toLowerCase() : text
  const prefix = prefixes.find((one) => plain.startsWith(`${one}1`))
  if (prefix === undefined) return null
  return segwitProgram(plain, prefix) !== null ? { text: plain } : wrong('the checksum of bech32 is wrong')
} })

const cash: Form = { form: 'BCH cashaddr', chain: 'BCH', read: (text) => {
  const [, plain] = /^(?:bitcoincash:)?([qp][0-9a-z]{41,111})$/.exec(text === text.toUpperCase() ? text.toLowerCase() : text) ?? []
  if (plain === undefined) return null
  const read = cashaddr(plain)
  if (read === null) return wrong('the checksum of cashaddr is wrong')
  return { text: plain, same: read.hash.length === 20 ? [toBase58check(Buffer.concat([Buffer.from([read.type === 0 ? 0 : 5]), read.hash]))] : [] }
} }

/** Versions of base58check: form, chain ('' where several share it) and letters the text may begin with. */
const versions: readonly (readonly [version: string, form: string, chain: string])[] = [
  ['00', 'base58 key', ''], ['05', 'base58 script', ''], ['41', 'TRON', 'TRON'], ['30', 'LTC key', 'LTC'], ['32', 'LTC script', 'LTC'], ['4c', 'DASH key', 'DASH'], ['10', 'DASH script', 'DASH'], ['1e', 'DOGE, XVG or DGB key', ''], ['16', 'DOGE script', 'DOGE'],
  ['26', 'BTG key', 'BTG'], ['17', 'BTG script', 'BTG'], ['3c', 'KMD key', 'KMD'], ['3f', 'STRAT key', 'STRAT'], ['21', 'XVG script', 'XVG'], ['1cb8', 'ZEC key', 'ZEC'], ['1cbd', 'ZEC script', 'ZEC'], ['6f', 'test key', 'BTC'], ['c4', 'test script', 'BTC'],
]
const byVersion = new Map(versions.map((one) => [one[0], one] as const))
/** Bitcoin and its forks write alike: without a list's word it counts as Bitcoin's. */
const shared: Readonly<Record<string, string>> = { 'base58 key': 'BTC', 'base58 script': 'BTC' }
/** TRON's addresses are also written as their 21 bytes in hex. */
const tronHex = /^41[0-9a-f]{40}$/i
const checked: Form = { form: 'base58check', chain: '', read: (given) => {
  const text = tronHex.test(given) ? toBase58check(Buffer.from(given, 'hex')) : given
  if (!/^[1-9A-HJ-NP-Za-km-z]{26,36}$/.test(text)) return null
  const body = base58check(text)
  if (body === null) return wrong('the checksum of base58check is wrong (upper and lower case matter)')
  const [, form, chain] = (body.length === 21 || body.length === 22 ? byVersion.get(body.toString('hex', 0, body.length - 20)) : undefined) ?? []
  if (form === undefined || chain === undefined) return wrong('no chain that is known here has such a version of base58check')
  // TRON makes the 20 bytes out of a key as Ethereum does. Litecoin wrote scripts as Bitcoin does before it had a version of its own, and takes both.
  const same = form === 'TRON' ? [`0x${body.toString('hex', 1)}`] : form === 'LTC script' ? [toBase58check(Buffer.concat([Buffer.of(5), body.subarray(1)]))] : []
  return { text, kind: { form, chain: chain === '' ? shared[form] ?? '' : chain }, same }
} }

const ripple: Form = { form: 'XRP', chain: 'XRP', read: (text) => {
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return null
  const body = rippleCheck(text)
  return body?.length === 21 && body[0] === 0 ? { text } : wrong('the checksum of an XRP address is wrong')
} }

const moneroSum = (body: Uint8Array): Buffer => Buffer.from(keccak256(body).slice(2, 10), 'hex')
/** The last 4 bytes are a checksum. An integrated address (106 letters) is one with a payment id in it: what is sent to it goes to the same wallet. */
const monero: Form = { form: 'XMR', chain: 'XMR', read: (text) => {
  if (!/^[48][1-9A-HJ-NP-Za-km-z]{94}$|^4[1-9A-HJ-NP-Za-km-z]{105}$/.test(text)) return /^[0-9a-f]{64}$/i.test(text) ? wrong('64 hex digits are no address (a payment id, a key or a transaction)') : null
  const bytes = moneroBytes(text)
  if (bytes === null) return wrong('this is no base58 of Monero')
  if (moneroSum(bytes.subarray(0, -4)).compare(bytes.subarray(-4)) !== 0) return wrong('the checksum of a Monero address is wrong')
  if (bytes[0] !== 19 || text.length !== 106) return { text }
  const body = Buffer.concat([Buffer.of(18), bytes.subarray(1, 65)])
  return { text, same: [toMonero(Buffer.concat([body, moneroSum(body)]))] }
} }

const stellar: Form = { form: 'XLM', chain: 'XLM', read: (text) => {
  if (!/^G[A-Z2-7]{55}$/.test(text)) return null
  const bytes = base32(text)
  return bytes?.length === 35 && crc16(bytes.subarray(0, 33)) === bytes.readUInt16LE(33) ? { text } : wrong('the checksum of a Stellar address is wrong')
} }

const algorand: Form = { form: 'ALGO', chain: 'ALGO', read: (text) => {
  if (!/^[A-Z2-7]{58}$/.test(text)) return null
  const bytes = base32(text)
  const sum = createHash('sha512-256').update(bytes?.subarray(0, 32) ?? '').digest().subarray(-4)
  return bytes?.length === 36 && sum.equals(bytes.subarray(32)) ? { text } : wrong('the checksum of an Algorand address is wrong')
} }

const beacon: Form = { form: 'BNB', chain: 'BNB', read: (text) => (!text.startsWith('bnb1') ? null : bech32(text, 'bnb') === null ? wrong('the checksum of bech32 is wrong') : { text }) }
const cardano: Form = { form: 'ADA', chain: 'ADA', read: (text) => (/^addr1/.test(text) ? bech32(text, 'addr') === null ? wrong('the checksum of bech32 is wrong') : { text } : /^(Ddz|Ae2)[1-9A-HJ-NP-Za-km-z]{50,120}$/.test(text) ? { text, unproven: true } : null) }
const siacoin: Form = { form: 'SC', chain: 'SC', read: (text) => (/^[0-9a-f]{76}$/i.test(text) ? { text: text.toLowerCase(), unproven: true } : null) }
const lisk: Form = { form: 'LSK', chain: 'LSK', read: (text) => (/^\d{5,20}L$/.test(text) ? { text, unproven: true } : null) }
const solana: Form = { form: 'SOL', chain: 'SOL', read: (text) => (/^[1-9A-HJ-NP-Za-km-z]{40,44}$/.test(text) && base58(text)?.length === 32 ? { text, unproven: true } : null) }

/** In the order they are tried. */
export const forms: readonly Form[] = [evm, segwit('BTC', ['bc', 'tb', 'bcrt']), segwit('LTC', ['ltc']), beacon, cardano, cash, stellar, algorand, siacoin, lisk, ripple, checked, monero, solana]
