/** Asks a node what tokens call themselves: symbol(), name(), decimals(), through Multicall3 where the chain has it. */
import type * as Viem from 'viem'
import type { Address, Hex, PublicClient } from 'viem'
import { AppError } from '../../schemas/errors.js'
import { loadPackage } from '../../schemas/loadPackage.js'
import { cleanText } from './cleanText.js'

const { BaseError, decodeAbiParameters, hexToString, MethodNotFoundRpcError, MethodNotSupportedRpcError, multicall3Abi, size, toFunctionSelector, trim } = loadPackage('viem') as typeof Viem

/** The block whose state is asked for; {}: the newest the node has. */
export type At = { readonly blockNumber?: bigint }
/** A token at which the node failed, and how; slow: no answer came. */
export interface Failed { readonly failed: string; readonly slow: boolean; readonly cause: unknown }
/** What a token answered; decimals null and texts empty where it did not. */
export interface Described { readonly address: string; readonly symbol: string; readonly name: string; readonly decimals: number | null }

const multicall: Address = '0xca11bde05977b3631167028862be2a173976ca11'
const selectors = ['symbol()', 'name()', 'decimals()'].map((signature) => toFunctionSelector(signature))
/** Tokens per call; 3 × 100 calls stay far below any node's gas limit for eth_call. */
const chunk = 100
/** So many tokens may be slow by themselves, all that are asked about. */
const few = 3
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

/** Codes of faults that say nothing of the call: the node has no room for it now. */
const crowded = new Set(['RPC_LIMITED', 'RPC_FULL'])
/** A contract that no chain has: any node that answers calls answers this one. */
const nobody: Address = '0x0000000000000000000000000000000000000000'

/** Whether it is this one call at which the node fails, by time or by an error of its own: another call it answers meanwhile. */
const isOfCall = async (client: PublicClient, thrown: unknown, at: At): Promise<boolean> => {
  if (!unreachable(thrown)) return !isOfNode(thrown)
  if (is(thrown, AppError) && crowded.has(((thrown as Viem.BaseError).walk((cause) => cause instanceof AppError) as AppError).code)) return false
  return client.call({ to: nobody, ...at }).then(() => true, (other: unknown) => !isOfNode(other))
}

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

/** What a token answers to one call: nothing where its execution fails; how the node fails at it where it is not told whose fault that is. */
const askOne = async (client: PublicClient, to: Address, data: Hex, at: At): Promise<Hex | Failed> => {
  try {
    return (await client.call({ to, data, ...at })).data ?? '0x'
  } catch (thrown) {
    if (!(await isOfCall(client, thrown, at))) throw thrown
    return !unreachable(thrown) && verdictOf(thrown) === 'failed' ? '0x' : { failed: to, slow: unreachable(thrown), cause: thrown }
  }
}
const described = (address: string, [symbol = '0x', name = '0x', decimals = '0x']: readonly Hex[]): Described => ({ address, symbol: textOf(symbol), name: textOf(name), decimals: decimalsOf(decimals) })

async function* askEach(client: PublicClient, tokens: readonly string[], at: At): AsyncGenerator<Described | Failed> {
  for (let start = 0; start < tokens.length; start += sideBySide) {
    const answers = await Promise.allSettled(tokens.slice(start, start + sideBySide).map(async (token) => {
      const answers = await Promise.all(selectors.map((data) => askOne(client, token as Address, data, at)))
      const said = answers.filter((one) => typeof one === 'string'), failures = answers.filter((one) => typeof one !== 'string')
      return said.length === selectors.length ? described(token, said) : failures.find(({ slow }) => slow) ?? failures[0] ?? { failed: token, slow: false, cause: undefined }
    }))
    for (const answer of answers) if (answer.status === 'fulfilled') yield answer.value
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
  }
}

/** One token that burns all the gas fails the call for all in it: it is searched for by halves, and the others are asked together. Where the call takes too long each is asked by itself: every half would, too. */
async function* askTogether(client: PublicClient, tokens: readonly string[], at: At): AsyncGenerator<Described | Failed> {
  let answers: readonly { success: boolean; returnData: Hex }[]
  try {
    const args = tokens.flatMap((target) => selectors.map((callData) => ({ target: target as Address, allowFailure: true, callData })))
    answers = await client.readContract({ address: multicall, abi: multicall3Abi, functionName: 'aggregate3', args: [args], ...at })
  } catch (thrown) {
    if (!(await isOfCall(client, thrown, at))) throw thrown
    if (tokens.length === 1 || unreachable(thrown)) { yield* askEach(client, tokens, at); return }
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
 * than the node's newest block, or is gone. Of one at which the node failed for a reason that may be its own, while it answers others, that is told. Throws what the node threw when it cannot be asked (any more), gives no answer about any of several, or has not got
 * the block asked `at`, or its state.
 */
export async function* askTokens(client: PublicClient, tokens: readonly string[], at: At = {}): AsyncGenerator<Described | Failed> {
  const ask = await client.getCode({ address: multicall, ...at }) === undefined ? askEach : askTogether
  const silent: Failed[] = []
  let answered = false
  for (let start = 0; start < tokens.length; start += chunk) {
    for await (const token of ask(client, tokens.slice(start, start + chunk), at)) {
      if ('failed' in token) { if (token.slow) silent.push(token) } else answered = true
      if ('failed' in token || !isMute(token)) { yield token; continue }
      try {
        if (await client.getCode({ address: token.address as Address, ...at }) !== undefined) yield token
      } catch (thrown) {
        if (!(await isOfCall(client, thrown, at))) throw thrown
        yield { failed: token.address, slow: unreachable(thrown), cause: thrown }
      }
    }
  }
  // That it answers a call that needs no state says little of a node at which every one of several tokens is waited for in vain.
  if (!answered && silent.length > few) throw silent[0]?.cause
}
