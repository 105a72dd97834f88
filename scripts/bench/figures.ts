/** Figures of a sample. */

/** The smallest value that at least `share` (0 to 1) of `values` do not exceed; NaN of nothing. */
export const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((left, right) => left - right)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN

export const median = (values: readonly number[]): number => quantile(values, 0.5)
