/** GraphSense TagPacks: public attributions of Bitcoin and Ethereum addresses, by pack, with a level of confidence each. */
import { parse } from 'yaml'
import { filesIn, type Register } from './register.js'
import { labelsOf, Pack } from './tagPack.js'

/** version: the commit the packs are of, and how often the way they are read has changed what they say. */
export const graphsense: Register = {
  name: 'graphsense-tagpacks', version: '29ff93c8ab0d.3', licence: 'MIT', rank: 0, files: filesIn('graphsense'),
  read: (texts) => ({ labels: texts.flatMap((text) => labelsOf(Pack.parse(parse(text, { maxAliasCount: -1 })))), tokens: [] }),
}
