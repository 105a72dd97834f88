/** TagPack YAML: a pack's tags as labels. The bundled packs are read with what they lack left out; a pack that somebody sends must be right. */
import { Lexer, parseDocument } from 'yaml'
import { z } from 'zod'
import { bitcoinScriptType, bitcoinText } from '../../../schemas/bitcoin.js'
import { findChain } from '../../../schemas/chains.js'
import { AppError } from '../../../schemas/errors.js'
import { cleanText } from '../cleanText.js'
import { classOf, confidenceLevels, levelOf, wrongAbuse, wrongCategory, type AddressClass } from './classes.js'
import { isEvmAddress, type Label } from './register.js'

/** A text, or a number of a bundled pack; a list or a mapping is none, for it would be another text than what stands there. */
const Scalar = z.unknown().refine((value) => typeof value !== 'object' || value === null, 'must be a text, and is a list or a mapping').pipe(z.coerce.string())
const Fields = z.object({
  label: Scalar.optional(), currency: z.string().optional(), network: z.string().optional(), category: z.string().optional(), abuse: z.string().optional(), actor: z.string().optional(),
  confidence: z.string().optional(), lastmod: Scalar.optional(), source: z.string().optional().catch(undefined),
})
export const Pack = Fields.extend({ title: z.string(), creator: z.string().optional(), tags: z.array(Fields.extend({ address: Scalar })) })
type Pack = z.infer<typeof Pack>
type Tag = Pack['tags'][number]

/** Most bytes and tags of a pack: what a service that answers others meanwhile can read, and what a command can. */
export interface Most { readonly bytes: number; readonly tags: number }
export const mostSent: Most = { bytes: 1_000_000, tags: 10_000 }
export const mostByCommand: Most = { bytes: 50_000_000, tags: 500_000 }
/** Problems told of one pack. */
const mostProblems = 20

/** Packs that copy a sanctions list without saying so in their tags. */
const sanctions = new Set(['US Treasury OFAC Sanctions List', 'OFAC Tagpack'])
/** Packs all of whose addresses are of frauds, as their descriptions say; some of their tags do not say of which kind. */
const frauds = new Set(['Tagpack extracted from DeFi Fraud Masterthesis'])
/** The blacklist of USDT holds the zero address and precompiles: they are nobody's. */
const nobodys = /^0x0{30}/
/** Whether a text begins with a day there is (no 30 February), YYYY-MM-DD, of the years the store knows: what is written otherwise would be stored as another day. */
const isDay = (text: string): boolean => {
  const [written = ''] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
  const time = Date.parse(written)
  return !Number.isNaN(time) && written >= '1970-01-01' && written < '2100-01-01' && new Date(time).toISOString().startsWith(written)
}
const day = (text: string | undefined): string => /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0] ?? '2020-01-01'

/** The chain of a tag: where it names a network, currency is only what was paid in there. */
const chainOf = ({ network, currency }: { readonly network?: string | undefined; readonly currency?: string | undefined }): string => (network === undefined ? currency ?? '' : findChain(network)?.id ?? network)

/** What is wrong with the address of a tag; '' where nothing is. */
const wrongAddress = (chain: string, address: string): string => {
  if (chain === 'BTC') return bitcoinScriptType(bitcoinText(address)) !== null ? '' : 'is no address of Bitcoin'
  if (chain !== 'ETH') return 'needs network or currency ETH or BTC'
  if (!isEvmAddress(address.toLowerCase())) return 'is no address of Ethereum: 0x and 40 hex digits'
  return nobodys.test(address.toLowerCase()) ? 'is an address of nobody' : ''
}

/** The class of a tag: what its pack is a list of counts where the tag says nothing, or what nobody knows. */
const classIn = (title: string, { abuse, category }: Pick<Tag, 'abuse' | 'category'>): AddressClass => {
  if (sanctions.has(title)) return 'sanctioned'
  const said = classOf(abuse, category)
  return said === 'unknown' && frauds.has(title) ? 'scam' : said
}

const labelOf = ({ tags: _, ...pack }: Pack, own: Tag): Label => {
  const tag = { ...pack, ...own }
  const level = levelOf(tag.confidence)
  const chain = chainOf(tag)
  return {
    chain, address: chain === 'ETH' ? own.address.toLowerCase() : own.address, label: cleanText(tag.label ?? pack.title), entity: cleanText(tag.actor ?? ''), rule: cleanText(pack.title),
    confidence: confidenceLevels[level], level, validFrom: day(tag.lastmod), category: classIn(pack.title, tag),
    reference: /^https?:\/\//i.test(tag.source ?? '') ? cleanText(tag.source ?? '', 300) : '',
  }
}

/** The labels of a bundled pack; a tag's own fields win over the pack's. Tags of other chains are left out. */
export const labelsOf = (pack: Pack): readonly Label[] => pack.tags.filter((tag) => wrongAddress(chainOf({ ...pack, ...tag }), tag.address) === '').map((tag) => labelOf(pack, tag))

/** at: path in the pack; what: what is wrong there. */
interface Problem { readonly at: readonly (string | number)[]; readonly what: string }
const refused = (message: string, problems: readonly Problem[] = []): AppError => new AppError('TAGPACK_REFUSED', message, {
  status: 422, retry: 'never', ...(problems.length === 0 ? {} : { body: { details: problems.map(({ at, what }) => ({ type: 'tagpack', loc: ['tagpack', ...at], msg: what })) } }),
})

/** Lists and mappings within each other: a pack has three. */
const mostNested = 64
/** Whether a text nests deeper than any pack: what parses YAML takes seconds over that, in which nobody else is answered. What only tells its words apart stops where it is seen. */
const isTooDeep = (text: string): boolean => {
  let [open, inLine] = [0, 0]
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') open += 1
    else if (token === ']' || token === '}') open -= 1
    else if (token === '-' || token === '?') inLine += 1
    else if (token.endsWith('\n')) inLine = 0
    if (open > mostNested || inLine > mostNested) return true
  }
  return false
}

const parsed = (text: string): unknown => {
  if (isTooDeep(text)) throw refused(`The pack is nested more than ${mostNested} deep: a TagPack is a list of tags`)
  // Every scalar stays the text it is (an address is no number). No aliases and no tags of YAML's own: a pack is plain, and an alias can unfold into more than memory holds.
  // Of a key that stands twice the last counts: looking for such keys takes the square of their number.
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' })
  const [error] = document.errors
  if (error !== undefined) throw refused(`The pack is no YAML: ${cleanText(error.message.split('\n')[0] ?? '', 200)}`)
  try { return document.toJS({ maxAliasCount: 0 }) } catch { throw refused('The pack uses aliases (&, *): write every tag out') }
}

/** The labels of a pack somebody sent; throws TAGPACK_REFUSED with what is wrong, tag by tag. Nothing of a pack that is wrong is taken. */
export const readTagPack = (text: string, most: Most = mostSent): { readonly title: string; readonly labels: readonly Label[] } => {
  if (Buffer.byteLength(text) > most.bytes) throw refused(`The pack has more than ${most.bytes} bytes: cut it, or import it by command`)
  const told = Pack.safeParse(parsed(text))
  if (!told.success) throw refused('The pack is not a TagPack: title and tags are needed, each tag with an address', told.error.issues.slice(0, mostProblems).map(({ path, message }) => ({ at: path.map((part) => (typeof part === 'number' ? part : String(part))), what: message })))
  const pack = told.data
  if (pack.tags.length > most.tags) throw refused(`The pack has ${pack.tags.length} tags: at most ${most.tags}`)
  const problems = pack.tags.flatMap((own, place): Problem[] => {
    const tag = { ...pack, ...own }
    const address = wrongAddress(chainOf(tag), own.address)
    const what = [
      address === '' ? '' : `address ${cleanText(own.address, 90)} ${address}`, cleanText(tag.label ?? '') === '' ? 'label is missing or has no character that can be seen' : '',
      tag.confidence === undefined || Object.hasOwn(confidenceLevels, tag.confidence) ? '' : `confidence ${cleanText(tag.confidence, 40)} is none of ${Object.keys(confidenceLevels).join(', ')}`,
      tag.lastmod === undefined || isDay(tag.lastmod) ? '' : `lastmod ${cleanText(tag.lastmod, 40)} is no date`,
      wrongAbuse(tag.abuse), wrongCategory(tag.category),
    ].filter((problem) => problem !== '')
    return what.map((problem) => ({ at: ['tags', place], what: problem }))
  })
  if (problems.length > 0) throw refused(`${problems.length} problems in the pack, nothing was taken`, problems.slice(0, mostProblems))
  return { title: cleanText(pack.title), labels: pack.tags.map((tag) => labelOf(pack, tag)) }
}
