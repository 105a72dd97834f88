/** The processor: everything of every block, from the node and nowhere else. */
import { EvmBatchProcessor } from '@subsquid/evm-processor'

export const fields = {
  block: { timestamp: true, miner: true, gasUsed: true, gasLimit: true, baseFeePerGas: true, difficulty: true, size: true, extraData: true },
  transaction: {
    hash: true, type: true, from: true, to: true, contractAddress: true, value: true, nonce: true, gas: true, gasUsed: true, effectiveGasPrice: true, maxFeePerGas: true,
    maxPriorityFeePerGas: true, status: true, sighash: true, input: true,
  },
  log: { transactionHash: true, address: true, topics: true, data: true },
} as const

/** Blocks `from` to `to`, inclusive; receipts bring the logs and what a transaction cost. */
export const openProcessor = (url: string, from: number, to: number, capacity: number) => new EvmBatchProcessor()
  .setRpcEndpoint({ url, capacity, maxBatchCallSize: 100 })
  .setFinalityConfirmation(64)
  .setBlockRange({ from, to })
  .setFields(fields)
  .includeAllBlocks()
  .addTransaction({})
  .addLog({})
