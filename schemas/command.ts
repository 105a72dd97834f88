/** Command lines: options are parsed, `--help` is answered, and what went wrong is said in a line, not in a stack. */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { findChain, hasAccounts } from './chains.js'
import { AppError, messageOf } from './errors.js'

type ParseArgsOptionsConfig = NonNullable<ParseArgsConfig['options']>
type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true; allowNegative: true }>>

/** The options of this process; `usage` follows an error and answers `--help`. Words beside options are refused unless `words` is true. */
export const parseOptions = <const Options extends ParseArgsOptionsConfig>(usage: string, options: Options, words = false, args = process.argv.slice(2)): Parsed<Options> => {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`usage: ${usage}\n`)
    process.exit(0)
  }
  const refused = (what: string): AppError => new AppError('BAD_ARGUMENT', `${what}\nusage: ${usage}`)
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, allowNegative: true })
    if (!words && parsed.positionals.length > 0) throw refused(`Unexpected argument '${parsed.positionals.join(' ')}'`)
    return parsed
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : refused(messageOf(thrown).split('. ')[0] ?? '')
  }
}

/** A whole number from an option's text; an error names the option. */
export const wholeOption = (name: string, text: string | undefined, least = 0): number => {
  const value = Number(text)
  if (text === undefined || !/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new AppError('BAD_ARGUMENT', `--${name}: a whole number${least > 0 ? ` of at least ${least}` : ''} was expected${text === undefined ? '' : `, not '${text}'`}`)
  }
  return value
}

/** The id of the chain that --chain names, for what looks at accounts, tokens and swaps. */
export const accountsOption = (text: string): string => {
  const chain = findChain(text)?.id
  if (chain === undefined) throw new AppError('BAD_ARGUMENT', `--chain: no chain is called ${text}`)
  if (!hasAccounts(chain)) throw new AppError('BAD_ARGUMENT', `--chain: ${chain} has no accounts, tokens and swaps here, which this looks at (ETH has)`)
  return chain
}

/** What an operator is told: for a dependency that is away also why, with its address (callers of the API never see that). */
export const told = (thrown: unknown): string => {
  if (!(thrown instanceof AppError) || thrown.retry !== 'wait' || thrown.cause === undefined) return messageOf(thrown)
  const { cause } = thrown
  return `${thrown.message} (${messageOf(cause) || String((cause as { code?: unknown }).code ?? cause)})`
}

/** Says what went wrong on standard error and ends the process with code 1. */
export const giveUp = (thrown: unknown): never => {
  process.stderr.write(`${told(thrown)}\n`)
  process.exit(1)
}

/** Runs a command that ends: its exit code is what `run` resolves to, or 0. Connections still open do not keep it. */
export const command = async (run: () => Promise<number | undefined>): Promise<void> => {
  try { process.exit(await run() ?? 0) } catch (thrown) { giveUp(thrown) }
}
