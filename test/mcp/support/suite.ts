/** The official conformance suite as a program: it leaves one folder of checks for each scenario. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../../support/run.js'

export interface Check { readonly id: string; readonly status: string; readonly errorMessage?: string }
export interface Outcome { readonly code: number | null; readonly text: string; /** Checks by scenario. */ readonly checks: ReadonlyMap<string, readonly Check[]> }

// The suite imports fs.globSync, which Node 20 lacks, and uses it only for its own summary of folders.
const shim = `data:text/javascript,${encodeURIComponent("export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => []")}`
const hook = `export const resolve = (name, context, next) => (name === 'fs' && String(context.parentURL).includes('conformance') ? { url: ${JSON.stringify(shim)}, shortCircuit: true } : next(name, context))`
const preload = `data:text/javascript,${encodeURIComponent(`import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)})`)}`
const suite = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url))

/** Runs the suite against the server at `url`; `args`: which part of it. */
export const runSuite = async (url: string, ...args: string[]): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'hydrophone-conformance-'))
  try {
    const { code, text } = await startProgram(process.execPath, ['--import', preload, suite, 'server', '--url', url, '-o', folder, '--timeout', '10000', ...args]).ended
    const made = readdirSync(folder).map((name) => [/^server-(.*)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[]] as const)
    if (made.length === 0) throw new Error(`the suite left no result: ${text.slice(-2_000)}`)
    return { code, text, checks: new Map(made) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
