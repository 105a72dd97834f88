/** A source of Bitcoin on replayed nodes, and what it landed. */
import assert from 'node:assert/strict'
import { pino } from 'pino'
import { z } from 'zod'
import { findChain } from '../../../schemas/chains.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { parseConfig } from '../../../schemas/config.js'
import type { BatchRef } from '../../../schemas/primitives.js'
import { startBitcoinNode, type BitcoinOptions } from '../../../scripts/replay-node/bitcoin/server.js'
import type { ReplayNode } from '../../../scripts/replay-node/serve.js'
import { openBitcoinSource } from '../../../stages/ingest/bitcoin/source.js'
import type { ChainModule, Context, Source } from '../../../stages/stage.js'

/** Small blocks, linked anew: 12 transactions each. */
export const small = { from: 100_000, count: 12, shapes: [482_683] }

const nodes: ReplayNode[] = [], sources: Source[] = []
export const startNode = async (options: BitcoinOptions = {}): Promise<ReplayNode> => {
  const node = await startBitcoinNode(options)
  nodes.push(node)
  return node
}
export const stopAll = async (): Promise<void> => {
  await Promise.all(sources.splice(0).map((source) => source.close()))
  await Promise.all(nodes.splice(0).map((node) => node.close()))
}

export const open = (store: Store, urls: readonly string[], extra: Record<string, string> = {}): { source: Source; context: Context } => {
  const config = parseConfig({ BTC_RPC_URL: urls.join(','), ...extra })
  const source = openBitcoinSource(config, config.BTC_RPC_URL ?? [])
  sources.push(source)
  const chain = findChain('BTC')
  assert.ok(chain)
  const module: ChainModule = { chain, source, normalize: [], finality: 6, pollMs: 100, maxBatch: 64, startBlock: undefined }
  return { source, context: { config, store, log: pino({ level: 'silent' }), chain: module, again: true, checkpoint: async () => undefined } }
}

let generation = 0
export const batchOf = async (source: Source, from: number, to = from): Promise<BatchRef> => {
  generation += 1
  return { chain: 'BTC', from, to, hash: (await source.header(to))?.hash ?? '', generation, floor: from }
}

const Landed = z.object({ number: z.coerce.number(), kind: z.string(), hash: z.string(), parent: z.string(), payload: z.string(), spent: z.string(), endpoint: z.string() })
/** Rows of a batch, bytes as hex. */
export const landed = (store: Store, batch: BatchRef) => store.query(
  `SELECT number, traces_kind AS kind, lower(hex(block_hash)) AS hash, lower(hex(parent_hash)) AS parent, lower(hex(payload)) AS payload, lower(hex(receipts)) AS spent, endpoint
   FROM raw_payloads WHERE chain = 'BTC' AND generation = {generation:UInt32} AND problem = '' ORDER BY number`, { generation: batch.generation }, Landed)
