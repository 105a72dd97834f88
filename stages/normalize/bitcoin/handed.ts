/**
 * Batches this process has just landed in a store, kept for its own normalize, which then need not read them back. What is given is what one
 * attempt landed and ingest found right; whoever takes it asks the store whether that attempt's is all that stands there.
 */
import { randomInt } from 'node:crypto'
import type { Network } from '../../../schemas/bitcoinNetworks.js'
import type { Store } from '../../../schemas/clickhouse.js'
import type { Slot } from '../../../schemas/slots.js'
import { decodeApart, grows, type BlockBytes } from './decoder.js'

/** A checked block: its bytes, or already its row of btc_decoded. */
export type Handed = { readonly number: number; readonly hash: string } & ({ readonly bytes: BlockBytes<Slot> } | { readonly row: Promise<Slot> })
type Whole = Extract<Handed, { bytes: unknown }>
/** `attempt`: the number under which its blocks stand in the store. */
export interface Batch { readonly attempt: number; readonly blocks: readonly Handed[] }

/** Bytes of memory for all that is held and not released: a batch of a backfill, and what follows on it. What finds no room is read back from the store. */
const mostHeld = 256 << 20
/** Milliseconds a batch is held that nobody takes (another process may have its next stage), and for which one who asked is thought to ask again. */
const heldMs = 30_000, wantedMs = 600_000

const slotsOf = ({ block, spent, txids }: BlockBytes<Slot>): readonly Slot[] => [block, spent, txids]
/** Memory behind bytes, which is more than they are. */
const memoryOf = (slots: readonly Slot[]): number => slots.reduce((sum, { bytes }) => sum + bytes.buffer.byteLength, 0)

export const releaseHanded = (blocks: Iterable<Handed>): void => {
  for (const one of blocks) {
    if ('row' in one) one.row.then((slot) => { slot.release() }, () => undefined)
    else for (const slot of slotsOf(one.bytes)) slot.release()
  }
}

const openHanding = () => {
  const ready = new Map<string, Batch & { readonly timer: NodeJS.Timeout }>()
  // Where another process normalizes nothing is kept: who asks turns it on.
  let wantedUntil = 0, held = 0
  const counted = (slot: Slot): Slot => {
    let memory = memoryOf([slot])
    held += memory
    const uncount = (): void => { held -= memory; memory = 0 }
    return { bytes: slot.bytes, release: () => { uncount(); slot.release() }, drop: () => { uncount(); slot.drop() } }
  }
  const remove = (key: string): Batch => {
    const batch = ready.get(key)
    clearTimeout(batch?.timer)
    ready.delete(key)
    return batch ?? { attempt: 0, blocks: [] }
  }
  const drop = (key: string): void => { releaseHanded(remove(key).blocks) }
  return {
    /** For what one attempt lands of the batch `key`, of `count` blocks. */
    basket: (key: string, count: number, network: Network) => {
      const attempt = randomInt(1, 2 ** 47)
      let blocks: Handed[] = [], open = wantedUntil > performance.now()
      const close = (): void => { open = false; releaseHanded(blocks); blocks = [] }
      return {
        attempt,
        isOpen: () => open,
        /** A block alone is decoded at once, beside its landing: its normalize would wait for that. */
        put: ({ number, hash, bytes }: Whole): void => {
          if (count === 1) {
            // What is decoded takes as much memory again, several times over.
            if (held + (1 + grows) * memoryOf([bytes.block, bytes.spent, bytes.txids]) > mostHeld) { close(); releaseHanded([{ number, hash, bytes }]); return }
            const row = decodeApart(number, hash, bytes, network, true).then(counted)
            row.catch(() => undefined)
            blocks.push({ number, hash, row })
            return
          }
          const { block, spent, txids } = bytes
          blocks.push({ number, hash, bytes: { block: counted(block), spent: counted(spent), txids: counted(txids) } })
          // The first tells what all of them will take.
          if (held + (blocks.length === 1 ? memoryOf([block, spent, txids]) * (count - 1) : 0) > mostHeld) close()
        },
        /** It is not wanted: what landed is not right, or did not land. */
        close,
        /** What landed is right. */
        give: (): void => {
          const given = blocks
          if (!open || given.length !== count) { close(); return }
          open = false
          blocks = []
          drop(key)
          const timer = setTimeout(() => { drop(key) }, heldMs).unref()
          ready.set(key, { attempt, timer, blocks: given.sort((left, right) => left.number - right.number) })
        },
      }
    },
    /** A batch with its blocks in their order, the caller's from now on; without any where it is not held. */
    take: (key: string): Batch => {
      wantedUntil = performance.now() + wantedMs
      return remove(key)
    },
    /** Bytes of memory held now. */
    held: () => held,
  }
}

const handings = new WeakMap<Store, ReturnType<typeof openHanding>>()
/** What goes from hand to hand within this process, of one store. */
export const handingOf = (store: Store): ReturnType<typeof openHanding> => {
  const handing = handings.get(store) ?? openHanding()
  handings.set(store, handing)
  return handing
}
