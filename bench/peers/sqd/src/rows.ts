/** What the processor hands over, as rows of the tables. */
import type { BlockData } from '@subsquid/evm-processor'
import type { fields } from './processor.js'
import type { Row, TableName } from './tables.js'

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const address = (topic: string): string => `0x${topic.slice(-40)}`

/** An ERC-20 transfer has both sides in topics and 32 bytes of amount in its data. */
export const rowsOf = (blocks: readonly BlockData<typeof fields>[]): Record<TableName, Row[]> => {
  const rows: Record<TableName, Row[]> = { blocks: [], transactions: [], logs: [], transfers: [] }
  for (const { header, transactions, logs } of blocks) {
    const place = { block_number: header.height, time: Math.floor(header.timestamp / 1_000) }
    rows.blocks.push({
      number: header.height, hash: header.hash, parent_hash: header.parentHash, time: place.time, miner: header.miner, gas_used: header.gasUsed, gas_limit: header.gasLimit,
      base_fee_per_gas: header.baseFeePerGas, difficulty: header.difficulty, size: header.size, extra_data: header.extraData,
    })
    for (const one of transactions) {
      rows.transactions.push({
        ...place, tx_index: one.transactionIndex, hash: one.hash, type: one.type, from_address: one.from, to_address: one.to, contract_address: one.contractAddress, value: one.value,
        nonce: one.nonce, gas_limit: one.gas, gas_used: one.gasUsed, gas_price: one.effectiveGasPrice, max_fee_per_gas: one.maxFeePerGas,
        max_priority_fee_per_gas: one.maxPriorityFeePerGas, status: one.status, selector: one.sighash, input_size: one.input.length / 2 - 1,
      })
    }
    for (const log of logs) {
      const [topic0, topic1, topic2, topic3] = log.topics
      const where = { ...place, log_index: log.logIndex, tx_index: log.transactionIndex, tx_hash: log.transactionHash }
      rows.logs.push({ ...where, address: log.address, topic0, topic1, topic2, topic3, data: log.data })
      if (topic0 === transfer && topic1 !== undefined && topic2 !== undefined && topic3 === undefined && log.data.length === 66) {
        rows.transfers.push({ ...where, token: log.address, from_address: address(topic1), to_address: address(topic2), amount: BigInt(log.data) })
      }
    }
  }
  return rows
}
