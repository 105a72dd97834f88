/**
 * How a process of the product is started: TypeScript as it stands, and a small young generation. Loading modules leaves much behind that is never
 * used again; with Node's own 16 MB nobody collects it for as long as there is room, and an idle API holds tens of MB more.
 */
export const nodeArguments: readonly string[] = ['--max-semi-space-size=4', '--import', 'tsx']
