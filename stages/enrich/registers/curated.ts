/** Our own lists: contracts that protocols publish, markets of lending protocols, stablecoins and major tokens. */
import { z } from 'zod'
import { addressClasses } from './classes.js'
import { isEvmAddress, type Register } from './register.js'
import { tokenLabels } from './tokenLists.js'

const Address = z.string().refine(isEvmAddress)
const LabelRow = z.tuple([Address, z.string().min(1), z.string(), z.enum(addressClasses)])
const TokenRow = z.tuple([Address, z.string().min(1), z.string(), z.coerce.number().int(), z.enum(['0', '1'])])
const rowsOf = (text: string | undefined): string[][] => (text ?? '').trim().split('\n').slice(1).map((line) => line.split('\t'))

export const curated: Register = {
  name: 'hydrophone', version: '3', licence: '', rank: 3, files: ['labels.tsv', 'markets.tsv', 'tokens.tsv'],
  read: ([labels, markets, tokens]) => {
    const listed = rowsOf(tokens).map((row) => TokenRow.parse(row)).map(([address, symbol, name, decimals, stable]) => ({ chain: 'ETH', address, symbol, name, decimals, stable: stable === '1' }))
    return {
      tokens: listed,
      labels: [...tokenLabels(listed, '2020-01-02').map((label) => ({ ...label, confidence: 50, level: 'service_data' as const })), ...[...rowsOf(labels), ...rowsOf(markets)].map((row) => LabelRow.parse(row)).map(([address, label, entity, category]) => (
        { chain: 'ETH', address, label, entity, category, rule: 'published by the protocol', confidence: 50, level: 'service_data' as const, official: true, validFrom: '2015-07-30' }))],
    }
  },
}
