/** Clusters in memory: what a group of addresses that spent together changes, under the rule that two names never meet. */
import { openAddressTable } from './addressTable.js'
import { openUnionFind } from './unionFind.js'

/** What a group did. roots: those joined under `winner` (new: none); fresh: addresses that were in no cluster. quarantine: nothing was joined, and roots are all that would have been. */
export interface Change { readonly kind: 'new' | 'addition' | 'merge' | 'quarantine'; readonly winner: number; readonly roots: readonly number[]; readonly fresh: readonly number[] }

export const openClusters = (room = 1_024) => {
  const addresses = openAddressTable(room), sets = openUnionFind(room)
  /** Names of single addresses as labels give them, and of roots as their members give them. */
  const labels = new Map<number, string>(), names = new Map<number, string>()
  /** Root + 1 under which readers see an address; 0: in no cluster. */
  let shown = new Uint32Array(room)
  let moved: number[] = []

  const intern = (bytes: Buffer, offset: number): number => {
    const n = addresses.intern(bytes, offset)
    if (n >= shown.length) { const wider = new Uint32Array(Math.ceil(shown.length * 1.5) + 1); wider.set(shown); shown = wider }
    sets.reach(addresses.count)
    return n
  }
  const join = (winner: number, loser: number): void => {
    sets.each(loser, (member) => { moved.push(member) })
    sets.join(winner, loser)
    const name = names.get(loser)
    if (name !== undefined) { names.delete(loser); names.set(winner, name) }
  }
  /** Roots of a group, each once. */
  const rootsOf = (bytes: Buffer, offset: number, count: number): number[] => {
    const roots: number[] = []
    for (let n = 0; n < count; n += 1) {
      const root = sets.root(intern(bytes, offset + n * 20))
      if (count > 32 || !roots.includes(root)) roots.push(root)
    }
    return count > 32 ? [...new Set(roots)] : roots
  }
  const ahead = (one: number, other: number): boolean => sets.size(one) > sets.size(other) || (sets.size(one) === sets.size(other) && addresses.compare(one, other) < 0)

  return {
    addresses, sets,
    get named(): ReadonlyMap<number, string> { return names },
    nameOf: (root: number): string => names.get(root) ?? '',
    /** The root of an address; -1 for one that was never seen. */
    rootOf: (bytes: Buffer, offset: number): number => { const n = addresses.find(bytes, offset); return n < 0 ? -1 : sets.root(n) },

    /** Joins `count` addresses that lie in `bytes` from `offset` on; null: they were together already. */
    apply: (bytes: Buffer, offset: number, count: number): Change | null => {
      const all = rootsOf(bytes, offset, count)
      if (all.length < 2) return null
      let winner = all[0] as number, name: string | undefined
      for (const root of all) {
        if (ahead(root, winner)) winner = root
        const own = names.get(root)
        if (own !== undefined && name !== undefined && own !== name) return { kind: 'quarantine', winner: -1, roots: all, fresh: [] }
        name ??= own
      }
      const isNew = sets.size(winner) === 1
      const fresh = all.filter((root) => sets.size(root) === 1)
      const roots = all.filter((root) => root !== winner && sets.size(root) > 1)
      if (isNew) moved.push(winner)
      for (const root of all) if (root !== winner) join(winner, root)
      return { kind: isNew ? 'new' : roots.length > 0 ? 'merge' : 'addition', winner, roots, fresh }
    },

    /** Puts the `count` addresses or clusters that lie in `bytes` from `offset` on under the cluster whose id lies at `into`, as the changelog says it was done. */
    replay: (bytes: Buffer, into: number, offset: number, count: number): void => {
      const winner = intern(bytes, into)
      for (let n = 0; n < count; n += 1) {
        const root = sets.root(intern(bytes, offset + n * 20))
        if (root !== winner && sets.root(winner) === winner) sets.join(winner, root)
      }
    },
    /** Readers see what stands now. */
    settle: (): void => {
      for (let n = 0; n < addresses.count; n += 1) { const root = sets.root(n); shown[n] = sets.size(root) > 1 ? root + 1 : 0 }
      moved = []
    },
    /** Calls `visit` with each address whose cluster is another than readers see (-1: none), and takes it that they see it then. */
    moves: (visit: (n: number, before: number, now: number) => void): void => {
      for (const n of moved) {
        const root = sets.root(n), now = sets.size(root) > 1 ? root + 1 : 0, before = shown[n] as number
        if (now !== before) { visit(n, before - 1, now - 1); shown[n] = now }
      }
      moved = []
    },

    /** Gives an address a name, or with '' takes it away; the names of clusters follow with `rename`. */
    label: (bytes: Buffer, offset: number, name: string): void => { const n = intern(bytes, offset); if (name === '') labels.delete(n); else labels.set(n, name) },
    /** Works out the names of clusters anew from those of addresses; false when one would have two. */
    rename: (): boolean => {
      names.clear()
      let single = true
      for (const [n, name] of labels) {
        const root = sets.root(n), held = names.get(root)
        if (held !== undefined && held !== name) single = false
        names.set(root, name)
      }
      return single
    },
    /** How many labelled addresses each named cluster of two and more has. */
    labelled: (): Map<number, number> => {
      const counts = new Map<number, number>()
      for (const n of labels.keys()) { const root = sets.root(n); if (sets.size(root) > 1) counts.set(root, (counts.get(root) ?? 0) + 1) }
      return counts
    },
  }
}

export type Clusters = ReturnType<typeof openClusters>
