/** Tables and bars as text. */

export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** One bar for each value, the longest 50 characters. */
export const chart = (rows: readonly (readonly [string, number])[], unit: string): string => {
  const most = Math.max(...rows.map(([, value]) => value))
  return ['```', ...rows.map(([name, value]) => `${name.padEnd(14)} ${'█'.repeat(Math.max(1, Math.round(value / most * 50)))} ${value.toFixed(0)} ${unit}`), '```'].join('\n')
}
