/** Asks a node what tokens call themselves: symbol(), name(), decimals(), through Multicall3 where the chain has it. */
import {
  BaseError, decodeAbiParameters, hexToString, HttpRequestError, MethodNotFoundRpcError, MethodNotSupportedRpcError, multicall3Abi, size, SocketClosedError, TimeoutError,
  toFunctionSelector, trim, type Address, type Hex, type PublicClient,
} from 'viem'
import { cleanText } from './cleanText.js'

/** The block whose state is asked for; {}: the newest the node has. */
export type At = { readonly blockNumber?: bigint }
/** What a token answered; decimals null and texts empty where it did not. */
export interface Described { readonly address: string; readonly symbol: string; readonly name: string; readonly decimals: number | null }

const multicall: Address = '0xca11bde05977b3631167028862be2a173976ca11'
const selectors = ['symbol()', 'name()', 'decimals()'].map((signature) => toFunctionSelector(signature))
/** Tokens per call; 3 × 100 calls stay far below any node's gas limit for eth_call. */
const chunk = 100

const is = (thrown: unknown, ...kinds: readonly (abstract new (...args: never[]) => Error)[]): boolean =>
  thrown instanceof BaseError && thrown.walk((cause) => kinds.some((kind) => cause instanceof kind)) !== null
/** The node does not answer now; another time it may. */
export const unreachable = (thrown: unknown): boolean => is(thrown, HttpRequestError, TimeoutError, SocketClosedError)
/** The node never answers such questions. */
export const refuses = (thrown: unknown): boolean => is(thrown, MethodNotFoundRpcError, MethodNotSupportedRpcError)

/** A text as contracts return it: a string, or 32 bytes as old ones do. */
const textOf = (data: Hex): string => {
  try {
    return cleanText(size(data) === 32 ? hexToString(trim(data, { dir: 'right' })) : decodeAbiParameters([{ type: 'string' }], data)[0])
  } catch { return '' }
}
const decimalsOf = (data: Hex): number | null => {
  if (size(data) < 32) return null
  const value = BigInt(data.slice(0, 66))
  return value <= 77n ? Number(value) : null
}

const askOne = async (client: PublicClient, to: Address, data: Hex, at: At): Promise<Hex> => {
  try {
    return (await client.call({ to, data, ...at })).data ?? '0x'
  } catch (thrown) {
    if (unreachable(thrown) || refuses(thrown)) throw thrown
    return '0x'
  }
}
const askEach = (client: PublicClient, tokens: readonly string[], at: At): Promise<Hex[]> =>
  Promise.all(tokens.flatMap((token) => selectors.map((data) => askOne(client, token as Address, data, at))))

const askTogether = async (client: PublicClient, tokens: readonly string[], at: At): Promise<Hex[]> => {
  try {
    const args = tokens.flatMap((target) => selectors.map((callData) => ({ target: target as Address, allowFailure: true, callData })))
    const answers = await client.readContract({ address: multicall, abi: multicall3Abi, functionName: 'aggregate3', args: [args], ...at })
    return answers.map(({ success, returnData }) => (success ? returnData : '0x'))
  } catch (thrown) {
    if (unreachable(thrown) || refuses(thrown)) throw thrown
    return askEach(client, tokens, at)
  }
}

const isMute = ({ symbol, name, decimals }: Described): boolean => symbol === '' && name === '' && decimals === null

/**
 * What each of `tokens` answers; one that is mute is left out where the node has no code of it, for then it has not said so: the token is younger
 * than the node's newest block, or is gone. Throws what the node threw when it cannot be asked, or has not got the block asked `at`.
 */
export const askTokens = async (client: PublicClient, tokens: readonly string[], at: At = {}): Promise<Described[]> => {
  const code = await client.getCode({ address: multicall, ...at })
  const ask = code === undefined ? askEach : askTogether
  const described: Described[] = []
  for (let start = 0; start < tokens.length; start += chunk) {
    const part = tokens.slice(start, start + chunk)
    const answers = await ask(client, part, at)
    const told = part.map((address, index) => {
      const [symbol = '0x', name = '0x', decimals = '0x'] = answers.slice(index * 3, index * 3 + 3)
      return { address, symbol: textOf(symbol), name: textOf(name), decimals: decimalsOf(decimals) }
    })
    const there = await Promise.all(told.map(async (token) => !isMute(token) || await client.getCode({ address: token.address as Address, ...at }) !== undefined))
    described.push(...told.filter((_, index) => there[index]))
  }
  return described
}
