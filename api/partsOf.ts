/** `all` in parts of `size`, the last with what is left; none of nothing. */
export const partsOf = <One>(all: readonly One[], size: number): One[][] => Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size))
