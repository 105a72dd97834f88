/**
 * Batches this process has just landed in a store, kept for its own normalize, which then need not read them back. What is given is what one
 * attempt landed and ingest found right; whoever takes it asks the store whether that is all that stands there.
 */
import type { Network } from '../../../schemas/bitcoinNetworks.js'
import type { Store } from '../../../schemas/clickhouse.js'
import type { Slot } from '../../../schemas/slots.js'
import { decodeApart, type BlockBytes } from './decoder.js'

/** A checked block: its bytes, or already its row of btc_answers. */
export type Handed = { readonly number: number; readonly hash: string } & ({ readonly bytes: BlockBytes<Slot> } | { readonly row: Promise<Slot> })
type Whole = Extract<Handed, { bytes: unknown }>

/** Bytes held at once: about a hundred full blocks. What does not fit is read back from the store. */
const mostHeld = 128 << 20
/** Milliseconds a batch is held that nobody takes: another process may have its next stage. */
const heldMs = 60_000

const sizeOf = ({ bytes: { block, spent, txids } }: Whole): number => block.bytes.length + spent.bytes.length + txids.bytes.length

export const releaseHanded = (blocks: Iterable<Handed>): void => {
  for (const one of blocks) {
    if ('row' in one) one.row.then((slot) => { slot.release() }, () => undefined)
    else for (const slot of [one.bytes.block, one.bytes.spent, one.bytes.txids]) slot.release()
  }
}

const openHanding = () => {
  const ready = new Map<string, { readonly blocks: readonly Handed[]; readonly size: number; readonly since: number }>()
  // Where another process normalizes nothing is kept: the first who asks turns it on.
  let wanted = false, held = 0
  const remove = (key: string): readonly Handed[] => {
    const basket = ready.get(key)
    ready.delete(key)
    held -= basket?.size ?? 0
    return basket?.blocks ?? []
  }
  return {
    /** For what one attempt lands of the batch `key`, of `count` blocks. */
    basket: (key: string, count: number) => {
      for (const [old, { since }] of ready) if (old === key || since < Date.now() - heldMs) releaseHanded(remove(old))
      let blocks: Whole[] = [], size = 0, open = wanted
      const close = (): void => { open = false; releaseHanded(blocks); blocks = [] }
      return {
        isOpen: () => open,
        put: (block: Whole): void => {
          blocks.push(block)
          size += sizeOf(block)
          if (held + size > mostHeld) close()
        },
        close,
        /** What landed is right. A block alone is decoded at once: until its normalize begins there is time for that. */
        give: (network: Network): void => {
          const [first] = blocks
          if (!open || first === undefined || blocks.length !== count) { close(); return }
          const row = count === 1 ? decodeApart(first.number, first.hash, first.bytes, network, true) : undefined
          row?.catch(() => undefined)
          ready.set(key, { blocks: row === undefined ? blocks.sort((left, right) => left.number - right.number) : [{ number: first.number, hash: first.hash, row }], size, since: Date.now() })
          held += size
        },
      }
    },
    /** The blocks of a batch in their order, the caller's from now on; none where they are not held. */
    take: (key: string): readonly Handed[] => {
      wanted = true
      return remove(key)
    },
  }
}

const handings = new WeakMap<Store, ReturnType<typeof openHanding>>()
/** What goes from hand to hand within this process, of one store. */
export const handingOf = (store: Store): ReturnType<typeof openHanding> => {
  const handing = handings.get(store) ?? openHanding()
  handings.set(store, handing)
  return handing
}
