/** Asks a node what tokens call themselves: symbol(), name(), decimals(), through Multicall3 where the chain has it. */
import type * as Viem from 'viem'
import type { Address, Hex, PublicClient } from 'viem'
import { AppError } from '../../schemas/errors.js'
import { loadPackage } from '../../schemas/loadPackage.js'
import { cleanText } from './cleanText.js'

const { BaseError, decodeAbiParameters, hexToString, MethodNotFoundRpcError, MethodNotSupportedRpcError, multicall3Abi, size, toFunctionSelector, trim } = loadPackage('viem') as typeof Viem

/** The block whose state is asked for; {}: the newest the node has. */
export type At = { readonly blockNumber?: bigint }
/** What a token answered; decimals null and texts empty where it did not. */
export interface Described { readonly address: string; readonly symbol: string; readonly name: string; readonly decimals: number | null }

const multicall: Address = '0xca11bde05977b3631167028862be2a173976ca11'
const selectors = ['symbol()', 'name()', 'decimals()'].map((signature) => toFunctionSelector(signature))
/** Tokens per call; 3 × 100 calls stay far below any node's gas limit for eth_call. */
const chunk = 100
/** Tokens asked side by side, call by call: what else the node is asked for comes between. */
const sideBySide = 4

const is = (thrown: unknown, ...kinds: readonly (abstract new (...args: never[]) => Error)[]): boolean =>
  thrown instanceof BaseError && thrown.walk((cause) => kinds.some((kind) => cause instanceof kind)) !== null
/** The node does not answer now, or lets no more requests through: another time it may. */
export const unreachable = (thrown: unknown): boolean => is(thrown, AppError)
/** The node never answers such questions. */
export const refuses = (thrown: unknown): boolean => is(thrown, MethodNotFoundRpcError, MethodNotSupportedRpcError)

/** What nodes say of a call whose execution failed, as it will again: geth, Erigon, Nethermind, Besu, Reth and anvil each in their way. */
const failedCodes = new Set([3, -32015])
const failed = /revert|out ?of ?gas|\bgas (required|limit|allowance|uint64)|opcode|bad ?instruction|invalid ?jump|stack ?(overflow|underflow|limit)|call depth|call too deep|write protection|static ?call|return ?data|execution (aborted|halted)|execution_halted|vm (execution|exception)|evm error/i
/** What they say where they have not got the block, or its state. */
const stateless = /header not found|(unknown|could not find|cannot find|no) (block|header|state)|block .*not (be )?(found|available)|missing ?trie ?node|historical state|state .*(not available|unavailable)|pruned|due to pruning/i

/** What a fault says of the call: that its execution 'failed', that the node has no 'state' to ask, or neither. A contract says what it likes where it reverts: its words count as nothing else. */
const verdictOf = (thrown: unknown): 'failed' | 'state' | 'unclear' => {
  const { code, message } = (thrown instanceof BaseError ? thrown.walk() : thrown) as { code?: unknown; message?: unknown }
  const words = String(message)
  if (failedCodes.has(Number(code)) || failed.test(words)) return 'failed'
  return stateless.test(words) ? 'state' : 'unclear'
}
/** Whether others will meet the same: nothing is known of a token by it. */
const isOfNode = (thrown: unknown): boolean => unreachable(thrown) || refuses(thrown) || verdictOf(thrown) === 'state'

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

/** What a token answers to one call: nothing where its execution fails; undefined where the node fails at it and it is not told whose fault that is. */
const askOne = async (client: PublicClient, to: Address, data: Hex, at: At): Promise<Hex | undefined> => {
  try {
    return (await client.call({ to, data, ...at })).data ?? '0x'
  } catch (thrown) {
    if (isOfNode(thrown)) throw thrown
    return verdictOf(thrown) === 'failed' ? '0x' : undefined
  }
}
const described = (address: string, [symbol = '0x', name = '0x', decimals = '0x']: readonly Hex[]): Described => ({ address, symbol: textOf(symbol), name: textOf(name), decimals: decimalsOf(decimals) })

async function* askEach(client: PublicClient, tokens: readonly string[], at: At): AsyncGenerator<Described> {
  for (let start = 0; start < tokens.length; start += sideBySide) {
    const answers = await Promise.allSettled(tokens.slice(start, start + sideBySide).map(async (token) => {
      const said = (await Promise.all(selectors.map((data) => askOne(client, token as Address, data, at)))).filter((one) => one !== undefined)
      return said.length === selectors.length ? described(token, said) : undefined
    }))
    for (const answer of answers) if (answer.status === 'fulfilled' && answer.value !== undefined) yield answer.value
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
  }
}

/** One token that burns all the gas fails the call for all in it: it is searched for by halves, and the others are asked together. */
async function* askTogether(client: PublicClient, tokens: readonly string[], at: At): AsyncGenerator<Described> {
  let answers: readonly { success: boolean; returnData: Hex }[]
  try {
    const args = tokens.flatMap((target) => selectors.map((callData) => ({ target: target as Address, allowFailure: true, callData })))
    answers = await client.readContract({ address: multicall, abi: multicall3Abi, functionName: 'aggregate3', args: [args], ...at })
  } catch (thrown) {
    if (isOfNode(thrown)) throw thrown
    if (tokens.length === 1) { yield* askEach(client, tokens, at); return }
    const middle = tokens.length >> 1
    yield* askTogether(client, tokens.slice(0, middle), at)
    yield* askTogether(client, tokens.slice(middle), at)
    return
  }
  const said = answers.map(({ success, returnData }) => (success ? returnData : '0x'))
  for (const [index, token] of tokens.entries()) yield described(token, said.slice(index * selectors.length, (index + 1) * selectors.length))
}

const isMute = ({ symbol, name, decimals }: Described): boolean => symbol === '' && name === '' && decimals === null

/**
 * What each of `tokens` answers, as it is known; one that is mute is left out where the node has no code of it, for then it has not said so: the token is younger
 * than the node's newest block, or is gone. One at which the node failed for a reason that may be its own is left out too. Throws what the node threw when it cannot be asked (any more), or has not got
 * the block asked `at`, or its state.
 */
export async function* askTokens(client: PublicClient, tokens: readonly string[], at: At = {}): AsyncGenerator<Described> {
  const ask = await client.getCode({ address: multicall, ...at }) === undefined ? askEach : askTogether
  for (let start = 0; start < tokens.length; start += chunk) {
    for await (const token of ask(client, tokens.slice(start, start + chunk), at)) {
      if (!isMute(token) || await client.getCode({ address: token.address as Address, ...at }) !== undefined) yield token
    }
  }
}
