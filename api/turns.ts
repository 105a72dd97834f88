/** Work done one after the other for each `who`, side by side for different ones; resolves or rejects as the work does. */
export const openTurns = () => {
  const last = new Map<string, Promise<unknown>>()
  return <Value>(who: string, work: () => Promise<Value>): Promise<Value> => {
    const mine = (last.get(who) ?? Promise.resolve()).then(work, work)
    last.set(who, mine)
    const leave = (): void => { if (last.get(who) === mine) last.delete(who) }
    mine.then(leave, leave)
    return mine
  }
}
