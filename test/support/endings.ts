/** Ends what a suite opened, whatever came of its `before`. */
export interface Ends { stop?(): unknown; close?(): unknown }

/** An `after` hook that ends what is named, in order: what `before` did not come to is left out, and one that does not end well fails the hook but keeps no other open. */
export const ending = (...opened: readonly (() => Ends | undefined)[]) => async (): Promise<void> => {
  const failures: unknown[] = []
  for (const of of opened) {
    const one = of()
    try { await (one?.stop ?? one?.close)?.call(one) } catch (thrown) { failures.push(thrown) }
  }
  if (failures.length > 0) throw new AggregateError(failures, `not ended well: ${failures.map(String).join('; ')}`)
}

/** One of them that is ended in a way of its own. */
export const having = <One>(of: () => One | undefined, end: (one: One) => unknown) => (): Ends | undefined => {
  const one = of()
  return one === undefined ? undefined : { stop: () => end(one) }
}
