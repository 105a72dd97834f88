/** Public token lists of Ethereum: symbol, name and decimals by address. A listed contract is also labelled as one. */
import { z } from 'zod'
import { cleanText } from '../cleanText.js'
import { isEvmAddress, type Label, type Register, type Token } from './register.js'

const Entry = z.object({ symbol: z.string().optional(), name: z.string().optional(), decimals: z.coerce.number().optional().catch(undefined), erc20: z.boolean().optional() })
const Metamask = z.record(z.string(), Entry)
const EthereumLists = z.array(Entry.extend({ address: z.string() }))

const toToken = (given: string, entry: z.infer<typeof Entry>): Token[] => {
  const address = given.toLowerCase()
  const symbol = cleanText(entry.symbol ?? '')
  const decimals = entry.decimals ?? -1
  if (!isEvmAddress(address) || symbol === '' || !Number.isInteger(decimals) || decimals < 0 || decimals > 77) return []
  return [{ chain: 'ETH', address, symbol, name: cleanText(entry.name ?? ''), decimals, stable: false }]
}

/** Labels of token contracts; the weakest of all statements, so that any other wins. */
export const tokenLabels = (tokens: readonly Token[], validFrom: string): readonly Label[] => tokens.filter(({ address }) => !/^0x0{40}$/.test(address)).map((token) => ({
  chain: token.chain, address: token.address, label: `${token.symbol} token`, entity: '', category: token.stable ? 'stablecoin' : 'token', rule: 'token list', confidence: 5, level: 'unknown', validFrom,
}))

export const metamask: Register = {
  name: 'metamask-contract-metadata', version: '6a49430b69d2', licence: 'ISC', rank: 2, files: ['metamask.json.gz'],
  read: (texts) => {
    const tokens = texts.flatMap((text) => Object.entries(Metamask.parse(JSON.parse(text))).filter(([, entry]) => entry.erc20 === true).flatMap(([address, entry]) => toToken(address, entry)))
    return { tokens, labels: tokenLabels(tokens, '2020-01-01') }
  },
}

export const ethereumLists: Register = {
  name: 'ethereum-lists', version: '55622d80c18c', licence: 'MIT', rank: 1, files: ['ethereum-lists.json.gz'],
  read: (texts) => {
    const tokens = texts.flatMap((text) => EthereumLists.parse(JSON.parse(text)).flatMap((entry) => toToken(entry.address, entry)))
    return { tokens, labels: tokenLabels(tokens, '2020-01-01') }
  },
}
