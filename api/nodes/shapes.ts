/** What a node answers, parsed: quantities become decimal strings, hex becomes lower case. */
import { z } from 'zod'

const lower = (text: string): string => text.toLowerCase()
/** Quantity of any size → decimal digits. */
export const Quantity = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/).transform((text) => BigInt(text).toString())
/** Quantity that is a height, an index or a count. */
export const Count = z.string().regex(/^0x[0-9a-fA-F]{1,13}$/).transform(Number)
export const Bytes = z.string().regex(/^0x([0-9a-fA-F]{2})*$/).transform(lower)
export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/).transform(lower)
export const Hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/).transform(lower)
const maybe = <Shape extends z.ZodType>(shape: Shape) => shape.nullish().transform((value) => value ?? null)

export const Header = z.object({
  number: Count, hash: Hash, parentHash: Hash, timestamp: Count, miner: Address, gasUsed: Quantity, gasLimit: Quantity, baseFeePerGas: maybe(Quantity), difficulty: maybe(Quantity), extraData: Bytes,
  stateRoot: Hash, transactionsRoot: Hash, receiptsRoot: Hash, withdrawalsRoot: maybe(Hash), parentBeaconBlockRoot: maybe(Hash), mixHash: maybe(Hash), nonce: maybe(Bytes), size: maybe(Quantity),
  blobGasUsed: maybe(Quantity), excessBlobGas: maybe(Quantity), transactions: z.array(z.unknown()).transform((list) => list.length),
})

export const Transaction = z.object({
  hash: Hash, blockNumber: maybe(Count), blockHash: maybe(Hash), transactionIndex: maybe(Count), type: maybe(Count), from: Address, to: maybe(Address), nonce: Quantity, value: Quantity, gas: Quantity,
  gasPrice: maybe(Quantity), maxFeePerGas: maybe(Quantity), maxPriorityFeePerGas: maybe(Quantity), input: Bytes,
})

export const Log = z.object({ address: Address, topics: z.array(Hash).max(4), data: Bytes, blockNumber: Count, blockHash: Hash, transactionHash: Hash, transactionIndex: Count, logIndex: Count })

export const Receipt = z.object({
  transactionHash: Hash, blockNumber: Count, blockHash: Hash, transactionIndex: Count, from: Address, to: maybe(Address), contractAddress: maybe(Address), status: maybe(Count), type: maybe(Count),
  gasUsed: Quantity, cumulativeGasUsed: Quantity, effectiveGasPrice: maybe(Quantity), blobGasUsed: maybe(Quantity), blobGasPrice: maybe(Quantity), logs: z.array(Log),
})

export const FeeHistory = z.object({
  oldestBlock: Count, baseFeePerGas: z.array(Quantity), gasUsedRatio: z.array(z.number()), baseFeePerBlobGas: z.array(Quantity).nullish(), reward: z.array(z.array(Quantity)).nullish(),
})
