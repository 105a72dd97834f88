/** GraphSense TagPacks: public attributions of Bitcoin and Ethereum addresses, by pack, with a level of confidence each. */
import { parse } from 'yaml'
import { z } from 'zod'
import { cleanText } from '../cleanText.js'
import { classOf, confidenceOf } from './classes.js'
import { filesIn, isEvmAddress, type Label, type Register } from './register.js'

const Fields = z.object({
  label: z.coerce.string().optional(), currency: z.string().optional(), category: z.string().optional(), abuse: z.string().optional(), actor: z.string().optional(),
  confidence: z.string().optional(), lastmod: z.coerce.string().optional(),
})
const Pack = Fields.extend({ title: z.string(), creator: z.string().optional(), tags: z.array(Fields.extend({ address: z.coerce.string() })) })

/** Packs that copy a sanctions list without saying so in their tags. */
const sanctions = new Set(['US Treasury OFAC Sanctions List', 'OFAC Tagpack'])
/** The blacklist of USDT holds the zero address and precompiles: they are nobody's. */
const nobodys = /^0x0{30}/
const day = (text: string | undefined): string => /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0] ?? '2020-01-01'

/** The labels of one pack; a tag's own fields win over the pack's. */
export const readTagPack = (text: string): readonly Label[] => {
  const { tags, ...pack } = Pack.parse(parse(text, { maxAliasCount: -1 }))
  return tags.flatMap((own): Label[] => {
    const tag = { ...pack, ...own }
    const chain = tag.currency
    const address = chain === 'ETH' ? own.address.toLowerCase() : own.address
    if (!(chain === 'BTC' && /^[0-9A-Za-z]{26,90}$/.test(address)) && !(chain === 'ETH' && isEvmAddress(address) && !nobodys.test(address))) return []
    return [{
      chain, address, label: cleanText(tag.label ?? pack.title), entity: cleanText(tag.actor ?? ''), rule: cleanText(pack.title), confidence: confidenceOf(tag.confidence), validFrom: day(tag.lastmod),
      category: sanctions.has(pack.title) ? 'sanctioned' : classOf(tag.abuse, tag.category),
    }]
  })
}

export const graphsense: Register = {
  name: 'graphsense-tagpacks', version: '29ff93c8ab0d', licence: 'MIT', rank: 0, files: filesIn('graphsense'),
  read: (texts) => ({ labels: texts.flatMap(readTagPack), tokens: [] }),
}
