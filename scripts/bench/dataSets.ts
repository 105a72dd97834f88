/** What a run read, in words: recorded data with its hash, made data with what makes it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fullBlocks } from '../replay-node/bitcoin/relinked.js'
import { ordinary } from '../replay-node/renumbered.js'
import { clusterSeed } from './clusters/clusters.js'
import type { Results } from './report.js'

const shaOf = (path: string): string => createHash('sha256').update(readFileSync(new URL(`../../${path}`, import.meta.url))).digest('hex')
const hashed = (path: string): string => `SHA-256 of ${path}: \`${shaOf(path)}\`.`

/** One paragraph for each data set of the parts that were run. */
export const dataSets = ({ backfill, live, history, bitcoin, bitcoinHistory, clusters, screening, hyperliquid }: Results): readonly string[] => [
  ...(backfill ?? live ?? history) === undefined ? [] : [`Recorded mainnet blocks ${ordinary.join(', ')}, renumbered in turn into consecutive heights; a recorded block compresses better the second time, so disk sizes are not given. ${hashed('test/fixtures/ethereum/index.json')}`],
  ...bitcoin === undefined ? [] : [`Recorded Bitcoin blocks ${fullBlocks.join(' and ')}, in turn, linked anew into consecutive heights. ${fullBlocks.map((height) => hashed(`test/fixtures/bitcoin/${height}/block.bin.gz`)).join(' ')}`],
  ...bitcoinHistory === undefined ? [] : [`Bitcoin, history of an address: ${bitcoinHistory.outputs} made outputs, the same in every run; nothing of them was recorded. ${hashed('scripts/bench/bitcoinHistory/outputs.sql')}`],
  ...clusters === undefined ? [] : [`Clusters: ${clusters.transactions} made transactions of Bitcoin (seed ${clusterSeed}); nothing of them was recorded.`],
  ...screening === undefined ? [] : ['Screening: the bundled lists of sanctions, and addresses made at random in each run.'],
  ...hyperliquid === undefined ? [] : ['Hyperliquid: a market made from a seed; nothing of it is the venue\'s.'],
]
