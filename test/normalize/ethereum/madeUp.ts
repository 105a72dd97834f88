/** Made-up blocks: one transaction that emits the given logs, in the shape a node answers. */
import { encodeAbiParameters, encodeEventTopics, pad, parseAbi, toHex, type AbiEvent, type Hex } from 'viem'
import type { RawAnswer } from '../../support/raw.js'

export interface MadeLog { readonly address: string; readonly topics: readonly string[]; readonly data: string }

export const hashOf = (number: number): Hex => pad(toHex(number), { size: 32 })
export const address = (byte: string): Hex => `0x${byte.repeat(20)}`
/** An address as a 32-byte topic. */
export const topic = (value: string): Hex => pad(value as Hex, { size: 32 })

/** The block's and the receipts' answers for a block of one successful transaction. */
export const madeUpBlock = (number: number, logs: readonly MadeLog[], tx: Record<string, unknown> = {}, receipt: Record<string, unknown> = {}): RawAnswer[] => {
  const hash = hashOf(number + 1_000_000_000)
  const sent = { hash: hashOf(number + 2_000_000_000), transactionIndex: '0x0', type: '0x0', from: address('11'), to: address('22'), value: '0x0', nonce: '0x1', gas: '0x5208', gasPrice: '0x1', input: '0x', ...tx }
  const block = {
    number: toHex(number), hash, parentHash: hashOf(number), timestamp: '0x64000000', miner: address('33'), gasUsed: '0x5208', gasLimit: '0x1c9c380',
    difficulty: '0x0', size: '0x1', extraData: '0x', transactions: [sent],
  }
  const done = {
    transactionHash: sent.hash, transactionIndex: '0x0', gasUsed: '0x5208', status: '0x1', contractAddress: null,
    logs: logs.map((log, index) => ({ ...log, logIndex: toHex(index), transactionIndex: '0x0', transactionHash: sent.hash })), ...receipt,
  }
  const answer = { number, hash, parentHash: block.parentHash }
  return [{ ...answer, kind: 'block', result: JSON.stringify(block) }, { ...answer, kind: 'receipts', result: JSON.stringify([done]) }]
}

/** The log of `event` (as Solidity declares it) with these arguments, encoded by viem. */
export const emitted = (emitter: string, event: string, args: Record<string, unknown>): MadeLog => {
  const [item] = parseAbi([event]) as unknown as readonly [AbiEvent]
  const topics = encodeEventTopics({ abi: [item], args } as never) as string[]
  const rest = item.inputs.filter((input) => input.indexed !== true)
  return { address: emitter, topics, data: encodeAbiParameters(rest, rest.map((input) => args[input.name ?? ''])) }
}
