/** One row for each event. */
import { ponder } from 'ponder:registry'
import { blocks, transfers } from 'ponder:schema'

ponder.on('Every:block', async ({ event: { block }, context }) => {
  await context.db.insert(blocks).values({
    number: block.number, hash: block.hash, parent_hash: block.parentHash, time: block.timestamp, miner: block.miner, gas_used: block.gasUsed, gas_limit: block.gasLimit,
    base_fee_per_gas: block.baseFeePerGas, difficulty: block.difficulty, size: block.size, extra_data: block.extraData,
  })
})

ponder.on('Erc20:Transfer', async ({ event, context }) => {
  await context.db.insert(transfers).values({
    block_number: event.block.number, log_index: event.log.logIndex, time: event.block.timestamp, tx_index: event.transaction.transactionIndex, tx_hash: event.transaction.hash,
    token: event.log.address, from_address: event.args.from, to_address: event.args.to, amount: event.args.value,
  })
})
