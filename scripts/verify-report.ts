/**
 * Checks a signed report offline: `npm run verify-report FILE PUBLIC_KEY`, or `FILE -- --key PUBLIC_KEY`. FILE: the signed file, or an answer of /v1/verify/{content_hash}.
 * Ends with 0: it is what that key signed; 1: it is not; 2: it could not be checked; 3: unchanged since it was signed, but no key was given that says by whom.
 */
import { readFile, stat } from 'node:fs/promises'
import { checkFile, checkWhole, type Check, type Checked } from '../schemas/attest/checkReport.js'
import { Json } from '../schemas/attest/canonical.js'
import { pointsIn } from '../schemas/attest/publicKeys.js'
import { flawOf } from '../schemas/attest/reportDay.js'
import { parseOptions, told } from '../schemas/command.js'
import { AppError } from '../schemas/errors.js'

const usage = 'npm run verify-report FILE [PUBLIC_KEY], or FILE [-- --key PUBLIC_KEY]   (PUBLIC_KEY: a file with a PEM, a JWK or the document at /attestation, or the key itself)'
const mostBytes = 16 * 1024 * 1024

const bytesIn = async (file: string, what: string): Promise<Buffer> => {
  const size = await stat(file).then((found) => found.size, () => { throw new AppError('BAD_ARGUMENT', `${what}: there is no file ${file}`) })
  if (size > mostBytes) throw new AppError('BAD_ARGUMENT', `${what}: ${file} has ${size} bytes, at most ${mostBytes} are read`)
  return readFile(file)
}
const isKey = (word: string | undefined): word is string => word !== undefined && /^[A-Za-z0-9_-]{43}$/.test(word)
const keysIn = async (given: string): Promise<string[]> => pointsIn(isKey(given) ? given : (await bytesIn(given, '--key')).toString('utf8'))
/** One key in 64 begins with a dash: it is no option. */
const withKeys = (words: readonly string[]): string[] => words.flatMap((word, place) => (isKey(word) && (word.startsWith('-') || words[place - 1] === '--key') ? [`--key=${word}`] : word === '--key' && isKey(words[place + 1]) ? [] : [word]))

/** An answer of the service that holds a report, with the place of the report in the tree of its day; null: the bytes are the report itself, or nothing. */
const answerIn = (bytes: Buffer): Json | null => {
  try {
    const parsed = Json.safeParse(JSON.parse(bytes.toString('utf8')))
    return parsed.success && typeof parsed.data['report'] === 'object' && parsed.data['report'] !== null && !('format' in parsed.data) ? parsed.data : null
  } catch { return null }
}
const checkAnswer = (answer: Json, points: readonly string[] | null): Checked => {
  const checked = checkWhole(answer['report'], points)
  const { proof } = Json.catch({}).parse(answer['inclusion'])
  if (checked.report === null || proof === undefined || proof === null) return checked
  const flaw = flawOf(proof, checked.report.content_hash, points)
  const check: Check = { check: 'inclusion', passed: flaw === null, detail: flaw ?? `In the signed Merkle tree of ${String(Json.parse(proof)['day'])}` }
  return { ...checked, verdict: flaw === null ? checked.verdict : 'invalid', checks: [...checked.checks, check] }
}

const say = (text: string): void => { process.stdout.write(`${text}\n`) }
const mark = (passed: boolean | null): string => (passed === null ? '?' : passed ? 'ok' : 'NO')
const words = {
  valid: 'VALID: this report is what the given key signed; nothing in it was changed.', invalid: 'NOT VALID: do not rely on this report.',
  unknown_signer: 'UNCHANGED since it was signed, but BY WHOM is not known: get the public key from /attestation of the service, or from whom you trust, and give it after the file (or with -- --key).',
} as const
const codes = { valid: 0, invalid: 1, unknown_signer: 3 } as const

const run = async (): Promise<number> => {
  const { values, positionals } = parseOptions(usage, { key: { type: 'string' } }, true, withKeys(process.argv.slice(2)))
  // npm keeps --key for itself where no -- stands before it; as a second word the key always arrives.
  const [file, word] = positionals
  const key = values.key ?? word
  if (file === undefined || positionals.length > 2 || (values.key !== undefined && word !== undefined)) throw new AppError('BAD_ARGUMENT', `One file was expected\nusage: ${usage}`)
  const [bytes, points] = [await bytesIn(file, 'FILE'), key === undefined ? null : await keysIn(key)]
  const answer = answerIn(bytes)
  const checked = answer === null ? checkFile(bytes, points) : checkAnswer(answer, points)
  if (answer !== null) say('An answer of the service: the report in it is checked, and what stands around it is not.')
  for (const { check, passed, detail } of checked.checks) say(`${mark(passed).padEnd(3)} ${check.padEnd(13)} ${detail}`)
  if (checked.report !== null && checked.verdict !== 'invalid') {
    const { subject, generated_at: at, conclusion } = checked.report.body as Record<string, Json & string>
    say(`\nHash     ${checked.report.content_hash}\nSubject  ${JSON.stringify(subject)}\nMade at  ${JSON.stringify(at)}\nSays     ${JSON.stringify(conclusion)}`)
  }
  say(`\n${words[checked.verdict]}`)
  return codes[checked.verdict]
}

run().then((code) => { process.exitCode = code }, (thrown: unknown) => { process.stderr.write(`${told(thrown)}\n`); process.exitCode = 2 })
