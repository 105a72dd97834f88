/** From where on a chain is followed. What was wanted once stays wanted in the ledger; ETH_START_BLOCK may be changed at every start. */
import type { Logger } from 'pino'
import type { Ledger, Target } from '../stages/ledger/ledger.js'

const isOpen = (target: Target): boolean => target.kind === 'follow' && target.to_block > Number.MAX_SAFE_INTEGER

/** Whether something of a chain at `head` is followed: what ended below it, as a demo does with its last block, is over. */
export const isFollowed = (targets: readonly Target[], head: number): boolean => targets.some((target) => target.kind === 'follow' && target.to_block >= head)

/**
 * Wants the chain from `start` on: a lower start than before adds the blocks between; a higher one keeps what is there and plans no more
 * of the blocks below it. Without a start the first head is one that nothing is followed up to, and later the ledger's. Resolves to true when a target was added.
 */
export const wantFollow = async (ledger: Ledger, log: Logger, chain: string, targets: readonly Target[], start: number | undefined, head: number): Promise<boolean> => {
  const follows = targets.filter((target) => target.kind === 'follow')
  const lowest = Math.min(...follows.filter(isOpen).map((target) => target.from_block))
  const from = start ?? head
  if (start === undefined ? isFollowed(targets, head) : lowest <= start) {
    if (start !== undefined && lowest < start) log.warn({ chain, start, before: lowest }, `followed from block ${start} on instead of ${lowest}: what is there below stays, what is missing there is not fetched any more`)
    return false
  }
  if (Number.isFinite(lowest)) log.info({ chain, start: from, before: lowest }, `followed from block ${from} on instead of ${lowest}: the blocks between are fetched`)
  await ledger.addTarget(chain, { id: follows.length === 0 ? 'follow' : `follow-${from}`, kind: 'follow', from, to: null, by: 'planner' })
  return true
}

/** What is wanted now: a follower starts at `start`, if the environment names one. */
export const wantedFrom = (targets: readonly Target[], start: number | undefined): Target[] =>
  targets.map((target) => (start !== undefined && isOpen(target) ? { ...target, from_block: Math.max(target.from_block, start) } : target))
