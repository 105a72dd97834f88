/** Finds what answers a method and a path. Fixed paths win over patterns, patterns with more fixed parts over those with fewer. */
export interface Route<Target> { readonly method: string; readonly path: string; readonly target: Target }
export type Found<Target> = { readonly target: Target; readonly params: Readonly<Record<string, string>> } | { readonly allow: readonly string[] } | null

interface Pattern<Target> extends Route<Target> { readonly parts: readonly string[]; readonly fixed: number }

const isField = (part: string): boolean => part.startsWith('{')
/** Path parameters of a route, in order. */
export const fieldsOfPath = (path: string): readonly string[] => path.split('/').filter(isField).map((part) => part.slice(1, -1))

export const matcher = <Target>(routes: readonly Route<Target>[]): ((method: string, path: string) => Found<Target>) => {
  const exact = new Map(routes.filter(({ path }) => !path.includes('{')).map((route) => [`${route.method} ${route.path}`, { target: route.target, params: {} }]))
  const patterns: readonly Pattern<Target>[] = routes
    .map((route) => { const parts = route.path.split('/'); return { ...route, parts, fixed: parts.filter((part) => !isField(part)).length } })
    .sort((a, b) => b.fixed - a.fixed)
  const byLength = new Map<number, Pattern<Target>[]>()
  for (const pattern of patterns) byLength.set(pattern.parts.length, [...byLength.get(pattern.parts.length) ?? [], pattern])
  const fits = (pattern: Pattern<Target>, parts: readonly string[]): boolean =>
    pattern.parts.every((part, index) => (isField(part) ? parts[index] !== '' : part === parts[index]))
  return (method, path) => {
    const at = exact.get(`${method} ${path}`)
    if (at !== undefined) return at
    const parts = path.split('/')
    const fitting = (byLength.get(parts.length) ?? []).filter((pattern) => fits(pattern, parts))
    // A fixed path shadows patterns also for methods it does not have: POST /v1/blocks/latest is not POST /v1/blocks/{chain}.
    const best = fitting.filter((pattern) => pattern.fixed === fitting[0]?.fixed)
    if (best.length === 0) return null
    const chosen = best.find((pattern) => pattern.method === method)
    if (chosen === undefined) return { allow: [...new Set(best.map((pattern) => pattern.method))] }
    const params: Record<string, string> = {}
    chosen.parts.forEach((part, index) => { if (isField(part)) params[part.slice(1, -1)] = parts[index] ?? '' })
    return { target: chosen.target, params }
  }
}
