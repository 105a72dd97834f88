/** Sets of numbers that only grow together: parent, size and the ring of each set's members, in typed arrays (12 bytes a number). */

export interface UnionFind {
  /** Takes in the numbers below `count`, each a set of its own. */
  reach(count: number): void
  /** The number that stands for the set of `n`; of a set that was joined it is the one that `join` named. */
  root(n: number): number
  /** Members of the set a root stands for. */
  size(root: number): number
  /** Puts the set of root `loser` under root `winner`, whichever is larger. */
  join(winner: number, loser: number): void
  /** Calls `visit` with each member of the set of `n`. */
  each(n: number, visit: (member: number) => void): void
}

export const openUnionFind = (room = 1_024): UnionFind => {
  let count = 0
  let parent = new Uint32Array(room), sizes = new Uint32Array(room), next = new Uint32Array(room)
  const wider = (old: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> => { const made = new Uint32Array(length); made.set(old); return made }
  return {
    reach: (wanted) => {
      if (wanted > parent.length) {
        const length = Math.max(wanted, Math.ceil(parent.length * 1.5))
        parent = wider(parent, length)
        sizes = wider(sizes, length)
        next = wider(next, length)
      }
      for (; count < wanted; count += 1) { parent[count] = count; sizes[count] = 1; next[count] = count }
    },
    root: (n) => {
      // Path halving: every second step is shortened on the way.
      while (parent[n] !== n) { const above = parent[parent[n] as number] as number; parent[n] = above; n = above }
      return n
    },
    size: (root) => sizes[root] as number,
    join: (winner, loser) => {
      parent[loser] = winner
      sizes[winner] = (sizes[winner] as number) + (sizes[loser] as number)
      const after = next[winner] as number
      next[winner] = next[loser] as number
      next[loser] = after
    },
    each: (n, visit) => {
      let member = n
      do { visit(member); member = next[member] as number } while (member !== n)
    },
  }
}
