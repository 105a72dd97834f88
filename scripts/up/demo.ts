/** The bundled recorded blocks through the pipeline: asked for as backfills, watched until the last stage has them all. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { stageNames } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import type { PipelineControl } from '../../workers/control.js'
import { recordedBitcoinHeights, recordedBitcoinRanges } from '../replay-node/bitcoin/chain.js'
import { startBitcoinNode } from '../replay-node/bitcoin/server.js'
import { recorded, recordedRanges } from '../replay-node/fixtures.js'
import type { ReplayNode } from '../replay-node/serve.js'
import { startReplayNode } from '../replay-node/server.js'

const progress = loadSql(import.meta.url, 'progress.sql')
const Row = z.object({ stage: z.string(), blocks: z.number().int() })

/** A chain whose recorded blocks are bundled; the variable names its nodes. */
export interface Demo {
  readonly chain: 'ETH' | 'BTC'; readonly name: string; readonly nodes: 'ETH_RPC_URL' | 'BTC_RPC_URL'
  readonly heights: readonly number[]; readonly ranges: readonly { readonly from: number; readonly to: number }[]
  replay(): Promise<ReplayNode>
}

export const demos: readonly Demo[] = [
  { chain: 'ETH', name: 'Ethereum', nodes: 'ETH_RPC_URL', heights: recorded.map((block) => block.height), ranges: recordedRanges(), replay: () => startReplayNode() },
  { chain: 'BTC', name: 'Bitcoin', nodes: 'BTC_RPC_URL', heights: recordedBitcoinHeights, ranges: recordedBitcoinRanges, replay: () => startBitcoinNode() },
]

/** Blocks of the demo each stage has finished, in the order of the stages. */
export const demoProgress = async (store: Store, played: readonly Demo[]): Promise<readonly { stage: string; blocks: number; of: number }[]> => {
  const rows = (await Promise.all(played.map(({ chain, heights }) => store.query(progress, { chain, heights }, Row)))).flat()
  const of = played.reduce((sum, { heights }) => sum + heights.length, 0)
  return stageNames.map((stage) => ({ stage, blocks: rows.filter((row) => row.stage === stage).reduce((sum, row) => sum + row.blocks, 0), of }))
}

const followRecorded = 'follow-recorded'

/** Wants the bundled blocks of a chain, once. What is followed ends with them, so that a node given later does not fill in the years between: the planner follows that one from its head on. */
export const wantDemo = async (store: Store, control: PipelineControl, { chain, heights, ranges }: Demo): Promise<void> => {
  const ledger = openLedger(store)
  const newest = heights.at(-1) ?? 0
  const targets = await ledger.targets(chain)
  if (targets.every((target) => target.kind !== 'follow')) await ledger.addTarget(chain, { id: followRecorded, kind: 'follow', from: newest, to: newest, by: 'up' })
  for (const { from, to } of ranges) {
    if (targets.some((target) => target.from_block <= from && target.to_block >= to)) continue
    await control.backfill({ chain, from, to, dryRun: false, requestedBy: 'up' })
  }
}

/** Resolves to true when every stage has every bundled block; false when jobs gave up or nothing moved for `patienceMs`. */
export const watchDemo = async (store: Store, control: PipelineControl, played: readonly Demo[], show: (line: string) => void, stopped: () => boolean, patienceMs = 180_000): Promise<boolean> => {
  let best = -1
  let movedAt = Date.now()
  while (!stopped()) {
    const stages = await demoProgress(store, played)
    show(stages.map(({ stage, blocks, of }) => `${stage} ${blocks}/${of}`).join('  '))
    if (stages.every(({ blocks, of }) => blocks === of)) return true
    const sum = stages.reduce((total, { blocks }) => total + blocks, 0)
    if (sum > best) { best = sum; movedAt = Date.now() }
    const { letters } = await control.deadLetters(3)
    const asked = letters.length > 0 && Date.now() - movedAt > 10_000
    if (asked || Date.now() - movedAt > patienceMs) {
      for (const letter of letters) show(`gave up: ${letter.stage} ${letter.from}–${letter.to}: ${letter.code} ${letter.cause}`.slice(0, 300))
      return false
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return false
}
