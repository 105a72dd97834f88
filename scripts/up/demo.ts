/** The bundled recorded blocks through the pipeline: asked for as backfills, watched until the last stage has them all. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'
import { stageNames } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import type { PipelineControl } from '../../workers/control.js'
import { recorded, recordedRanges } from '../replay-node/fixtures.js'

const progress = loadSql(import.meta.url, 'progress.sql')
const Row = z.object({ stage: z.string(), blocks: z.number().int() })
const heights = recorded.map((block) => block.height)
const newest = heights.at(-1) ?? 0

/** Blocks of the demo each stage has finished, in the order of the stages. */
export const demoProgress = async (store: Store): Promise<readonly { stage: string; blocks: number; of: number }[]> => {
  const rows = new Map((await store.query(progress, { chain: 'ETH', heights }, Row)).map((row) => [row.stage, row.blocks]))
  return stageNames.map((stage) => ({ stage, blocks: rows.get(stage) ?? 0, of: heights.length }))
}

const followRecorded = 'follow-recorded'

/** Wants the bundled blocks, once. What is followed ends with them, so that a node given later does not fill in the years between. */
export const wantDemo = async (store: Store, control: PipelineControl): Promise<void> => {
  const ledger = openLedger(store)
  const targets = await ledger.targets('ETH')
  if (targets.every((target) => target.kind !== 'follow')) await ledger.addTarget('ETH', { id: followRecorded, kind: 'follow', from: newest, to: newest, by: 'up' })
  for (const { from, to } of recordedRanges()) {
    if (targets.some((target) => target.from_block <= from && target.to_block >= to)) continue
    await control.backfill({ chain: 'ETH', from, to, dryRun: false, requestedBy: 'up' })
  }
}

/** After a demo, a real node is followed from `start` (its head when undefined) on. */
export const wantHead = async (store: Store, urls: readonly string[], start: number | undefined): Promise<void> => {
  const ledger = openLedger(store)
  const follows = (await ledger.targets('ETH')).filter((target) => target.kind === 'follow')
  if (follows.length === 0 || follows.some((target) => target.id !== followRecorded)) return
  const head = async (): Promise<number> => {
    for (const url of urls) {
      try {
        const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}', signal: AbortSignal.timeout(10_000) })
        return Number(z.object({ result: z.string().regex(/^0x[0-9a-f]+$/i) }).parse(await answer.json()).result)
      } catch { /* the next one may answer */ }
    }
    throw new AppError('NODE_SILENT', 'No endpoint of ETH_RPC_URL says what its newest block is. Check the addresses, or set ETH_START_BLOCK.')
  }
  await ledger.addTarget('ETH', { id: 'follow', kind: 'follow', from: start ?? await head(), to: null, by: 'up' })
}

/** Resolves to true when every stage has every bundled block; false when jobs gave up or nothing moved for `patienceMs`. */
export const watchDemo = async (store: Store, control: PipelineControl, show: (line: string) => void, stopped: () => boolean, patienceMs = 180_000): Promise<boolean> => {
  let best = -1
  let movedAt = Date.now()
  while (!stopped()) {
    const stages = await demoProgress(store)
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
