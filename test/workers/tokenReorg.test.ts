import assert from 'node:assert/strict'
import { concatHex, encodeAbiParameters, getContractAddress, pad, type Hex } from 'viem'
import { z } from 'zod'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { stateDigest } from '../../stages/digest/digest.js'
import { openPipelineControl } from '../../workers/control.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../support/pipeline.js'

/** A token whose symbol(), name() and decimals() are the word 18; more than a selector is emitted as a log: three topics, and the rest as its data. */
const runtime: Hex = '0x36600414602157606036036060600037604035602035600035606036036000a3005b601260005260206000f3'
const size = ((runtime.length - 2) / 2).toString(16).padStart(2, '0')
const init = concatHex([`0x60${size}600c60003960${size}6000f3`, runtime])
const transfer: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

describe('a token of a block that the node left before it was asked', function () {
  this.timeout(120_000)
  let anvil: Anvil, pipeline: Pipeline
  const environment = (): Promise<Record<string, string>> => pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_START_BLOCK: '1', ETH_FINALITY: '16' })
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(3)
    pipeline = await startPipeline(await environment())
  })
  after(ending(() => pipeline, () => anvil))
  const tip = async () => { const block = await anvil.client.getBlock(); return { number: Number(block.number), hash: block.hash } }

  it('is described by the block in its place, as a run without the reorg describes it', async () => {
    const { store, config, running: { parts: { queues } } } = pipeline
    await settled(store, 'ETH', await tip(), 1)
    const account = anvil.accounts[4] ?? assert.fail(), nonce = await anvil.client.getTransactionCount({ address: account.address }), token = getContractAddress({ from: account.address, nonce: BigInt(nonce) })
    const word = (hex: Hex): Hex => pad(hex, { size: 32 })
    const mineToken = async (more: bigint): Promise<void> => {
      const send = (of: object): Promise<Hex> => anvil.client.sendTransaction({ account, chain: anvil.chain, gas: 500_000n, maxPriorityFeePerGas: 1_000_000_000n + more, maxFeePerGas: 100_000_000_000n, ...of } as never)
      await send({ data: init, nonce })
      await send({ to: token, nonce: nonce + 1, data: concatHex([transfer, word(account.address), word('0x01'), encodeAbiParameters([{ type: 'uint256' }], [5n * 10n ** 18n])]) })
      await anvil.client.mine({ blocks: 1 })
    }
    const control = openPipelineControl(store, config.REDIS_URL ?? '', config.QUEUE_PREFIX)
    try {
      await control.setStage('enrich', true, 'test')
      await until(() => queues.enrich.isPaused(), 'it was not paused')
      await mineToken(0n)
      const { number } = await tip()
      await until(async () => (await store.query(`SELECT 1 AS one FROM batches WHERE stage = 'normalize' AND from_block = {number:UInt64}`, { number }, z.object({ one: z.number() }))).length > 0, 'it was not normalized')
      await anvil.rpc('anvil_rollback', [1])
      await control.setStage('enrich', false, 'test')
      await until(async () => await queues.enrich.getDelayedCount() > 0, 'it does not wait for a node that has the block')
      await mineToken(7n)
      await anvil.mine(1)
      await settled(store, 'ETH', await tip(), 1)
      const told = (of: Pipeline) => of.store.query(`SELECT block_number, token_decimals FROM transfers WHERE kind = 'erc20'`, {}, z.object({ block_number: z.coerce.number(), token_decimals: z.number().nullable() }))
      assert.deepEqual(await told(pipeline), [{ block_number: number, token_decimals: 18 }])
      const clean = await startPipeline(await environment())
      try {
        await settled(clean.store, 'ETH', await tip(), 1)
        assert.equal((await stateDigest(store, 'ETH', number + 1)).digest, (await stateDigest(clean.store, 'ETH', number + 1)).digest)
      } finally { await clean.stop() }
    } finally { await control.close() }
  })
})
