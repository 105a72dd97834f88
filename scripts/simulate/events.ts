/** Transactions that look like mainnet's to a decoder: a tiny contract at well-known addresses emits any event with two indexed fields. */
import { concatHex, encodeAbiParameters, pad, toHex, type Address, type Hex } from 'viem'
import type { Random } from './random.js'

/** LOG3 of the topics in the first three words of the call data, with the rest as data. */
export const emitterCode: Hex = '0x606036036060600037604035602035600035606036036000a300'

const usdc: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const chainlinkEth: Address = '0xe62b71cf983019bff55bc83b48601ce8419650cc'
/** Uniswap V3 USDC/WETH 0.05 %: token0 is USDC. */
const pool: Address = '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640'
export const emitters: readonly Address[] = [usdc, weth, chainlinkEth, pool]

const transferTopic: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const answerTopic: Hex = '0x0559884fd3a460db3073b7fc896cc77986f16e378210ded43186175bf646fc5f'
const swapTopic: Hex = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'

const word = (value: bigint): Hex => pad(toHex(BigInt.asUintN(256, value)), { size: 32 })
const addressWord = (address: Address): Hex => pad(address, { size: 32 })

export interface Call { readonly to: Address; readonly data: Hex; readonly value: bigint }

const transfer = (token: Address, from: Address, to: Address, amount: bigint): Call =>
  ({ to: token, data: concatHex([transferTopic, addressWord(from), addressWord(to), word(amount)]), value: 0n })

/** One block's worth of calls, chosen by `random` among `accounts`. */
export const someCalls = (random: Random, accounts: readonly Address[]): Call[] => {
  const calls: Call[] = []
  for (let count = random.int(0, 4); count > 0; count -= 1) {
    const from = random.pick(accounts), to = random.pick(accounts)
    const kind = random.int(0, 4)
    if (kind === 0) calls.push({ to, data: '0x', value: BigInt(random.int(1, 500)) * 10n ** 16n })
    else if (kind === 1) calls.push(transfer(usdc, from, to, BigInt(random.int(1, 2_000_000)) * 10n ** 6n))
    else if (kind === 2) calls.push(transfer(weth, from, to, BigInt(random.int(1, 900)) * 10n ** 18n))
    else if (kind === 3) calls.push({ to: chainlinkEth, data: concatHex([answerTopic, word(BigInt(random.int(1_500, 4_500)) * 10n ** 8n), word(BigInt(count)), word(1_700_000_000n)]), value: 0n })
    else {
      const dollars = BigInt(random.int(1_000, 900_000)) * 10n ** 6n, ether = dollars * 10n ** 12n / 2_000n
      const price = 3_543_191_142_285_914_205_922_034_323_214n
      calls.push({
        to: pool, value: 0n,
        data: concatHex([swapTopic, addressWord(from), addressWord(to), encodeAbiParameters(
          [{ type: 'int256' }, { type: 'int256' }, { type: 'uint160' }, { type: 'uint128' }, { type: 'int24' }], [dollars, -ether, price, 20_000_000_000_000_000_000n, 202_000])]),
      })
    }
  }
  return calls
}
