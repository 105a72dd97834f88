/** Wakes one who waits, and one who comes a moment later. */
export interface Bell {
  ring(): void
  /** Resolves when it has rung since a ring was last taken, or when `over` is aborted: a wait that was given up takes none. One waits at a time. */
  next(over: AbortSignal): Promise<void>
}

export const openBell = (): Bell => {
  const nobody = (): void => undefined
  let rung = false, wake = nobody
  return {
    ring: () => { rung = true; wake() },
    next: (over) => new Promise((resolve) => {
      if (over.aborted) { resolve(); return }
      const end = (): void => { if (wake === take) wake = nobody; over.removeEventListener('abort', end); resolve() }
      const take = (): void => { rung = false; end() }
      over.addEventListener('abort', end)
      wake = take
      if (rung) take()
    }),
  }
}
