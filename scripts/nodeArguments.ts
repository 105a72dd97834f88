/**
 * How a process of the product is started: TypeScript as it stands, and a small young generation. Loading modules leaves much behind that is never
 * used again; with Node's own 16 MB nobody collects it for as long as there is room, and an idle API holds tens of MB more. What is collected is
 * collected by the thread that made it: the helpers V8 would start for every heap take the processors from the stores beside them, and where those
 * are busy the thread waits for its helpers to be let on.
 */
export const nodeArguments: readonly string[] = ['--max-semi-space-size=4', '--single-threaded-gc', '--import', 'tsx']
