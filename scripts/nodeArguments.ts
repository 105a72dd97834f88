/**
 * How a process of the product is started: TypeScript as it stands, and a small young generation. Loading modules leaves much behind that is never
 * used again; with Node's own 16 MB nobody collects it for as long as there is room, and an idle API holds tens of MB more.
 */
const always = ['--max-semi-space-size=4'], typescript = ['--import', 'tsx/esm']
/**
 * A worker's garbage is collected by the thread that made it: helpers that V8 starts for a heap would take processors from the store's statements,
 * which that thread waits for. The API has the helpers: what its own thread does decides how much it answers out of its cache.
 */
const own: Readonly<Record<string, readonly string[]>> = { 'workers/main.ts': ['--single-threaded-gc'] }

/** What node is given before `script`, a path within the project. */
export const nodeArguments = (script: string): readonly string[] => [...always, ...own[script] ?? [], ...typescript]
