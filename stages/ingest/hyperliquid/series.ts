/** Files of a node follow each other by the numbers in their paths, of days, hours or blocks: a later one is begun when the one before it is over. */

/** series: the path without its numbers. number: those, so that they compare as text. A file that is packed is of the series of the plain ones. */
const numbered = (path: string): { series: string; number: string } => {
  const [, before = '', tail = ''] = /^(.*?)((?:[/\\][\d-]+)*[/\\][^/\\]*)$/.exec(path.replace(/\.lz4$/, '')) ?? []
  return { series: before + tail.replace(/\d+/g, '#'), number: (tail.match(/\d+/g) ?? []).map((digits) => digits.padStart(20, '0')).join('/') }
}

/** Whether a later file of its series is among `paths`. They are looked through when it is asked first: mostly nobody asks. */
export const openSeries = (paths: readonly string[]): ((path: string) => boolean) => {
  let newest: Map<string, string> | undefined
  const look = (): Map<string, string> => {
    const found = new Map<string, string>()
    for (const { series, number } of paths.map(numbered)) if (number > (found.get(series) ?? '')) found.set(series, number)
    return found
  }
  return (path) => {
    newest ??= look()
    const { series, number } = numbered(path)
    return number < (newest.get(series) ?? '')
  }
}
