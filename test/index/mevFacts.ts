/** What mev-inspect-py's tests assert (test/fixtures/mev-inspect/asserted_facts.json), by kind. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const whole = z.coerce.string()
const Liquidation = z.object({
  block_number: z.number(), liquidator_user: z.string(), debt_token_address: z.string(), debt_purchase_amount: whole, received_token_address: z.string(), received_amount: whole, transaction_hash: z.string(),
})
const Swap = z.object({
  block_number: z.number(), transaction_hash: z.string(), trace_address: z.array(z.number()), contract_address: z.string(), token_in_address: z.string(), token_in_amount: whole, token_out_address: z.string(), token_out_amount: whole,
})
const Jit = z.object({
  block_number: z.number(), bot_address: z.string(), mint_transaction_hash: z.string(), burn_transaction_hash: z.string(), swaps: z.array(Swap),
  mint_token0_amount: whole, mint_token1_amount: whole, burn_token0_amount: whole, burn_token1_amount: whole,
})
const Facts = z.object({ decoded: z.array(z.looseObject({ kind: z.string() })) })

const coin = `0x${'00'.repeat(20)}`
const named = (address: string): string => (address === 'ETH_TOKEN_ADDRESS' ? coin : address)

/** Liquidations by block, just-in-time liquidity, and orders that 0x filled. */
export const factsOf = () => {
  const { decoded } = Facts.parse(JSON.parse(readFileSync(new URL('../fixtures/mev-inspect/asserted_facts.json', import.meta.url), 'utf8')))
  const of = <Row>(kind: string, row: z.ZodType<Row>): Row[] => decoded.filter((fact) => fact.kind === kind).map((fact) => row.parse(fact))
  const liquidations = new Map<number, z.infer<typeof Liquidation>[]>()
  for (const fact of of('Liquidation', Liquidation)) {
    liquidations.set(fact.block_number, [...liquidations.get(fact.block_number) ?? [], { ...fact, debt_token_address: named(fact.debt_token_address), received_token_address: named(fact.received_token_address) }])
  }
  return { liquidations, jits: of('JITLiquidity', Jit), fills: of('Swap', Swap) }
}
