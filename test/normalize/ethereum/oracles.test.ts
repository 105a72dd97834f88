/** The tables against decoders that share nothing with the SQL: another project's transfers, and viem on the recorded JSON. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { decodeEventLog, parseAbi, type Hex } from 'viem'
import { z } from 'zod'
import { insertRaw, recorded } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { normalize, rowsOf } from './normalized.js'

const heights = [4369999, 7280016, 12914944, 13998626, 14000000, 15537394, 15547621, 17000000, 17034870, 17062257, 17300000, 18000000, 19426586, 20472570, 22431083, 22869878]
const Log = z.object({ address: z.string(), topics: z.array(z.string()), data: z.string(), logIndex: z.string(), transactionHash: z.string() })
const Receipt = z.object({
  transactionHash: z.string(), gasUsed: z.string(), status: z.string().optional(), contractAddress: z.string().nullish(), effectiveGasPrice: z.string().optional(), logs: z.array(Log),
})
const Sent = z.object({ hash: z.string(), from: z.string(), to: z.string().nullish(), value: z.string(), nonce: z.string(), input: z.string(), type: z.string(), gas: z.string(), gasPrice: z.string().optional() })
const Block = z.object({ timestamp: z.string(), gasUsed: z.string(), baseFeePerGas: z.string().optional(), transactions: z.array(Sent), withdrawals: z.array(z.object({ amount: z.string() })).optional() })
const receiptsOf = (height: number) => z.array(Receipt).parse(JSON.parse(recorded(height, 'receipts') ?? ''))
const blockOf = (height: number) => Block.parse(JSON.parse(recorded(height, 'block') ?? ''))
const logsOf = (height: number) => receiptsOf(height).flatMap((receipt) => receipt.logs)
const bare = (hex: string | null | undefined): string => (hex ?? '').slice(2).toLowerCase()
const number = (hex: string): string => String(BigInt(hex))
/** Before Byzantium receipts tell no status: gas left over, or a log, proves success. '-': not known. */
const statusOf = (receipt: z.infer<typeof Receipt> | undefined, gas: string): string => {
  if (receipt?.status !== undefined) return number(receipt.status)
  return receipt !== undefined && (number(receipt.gasUsed) !== number(gas) || receipt.logs.length > 0) ? '1' : '-'
}
const sum = (values: readonly string[]): bigint => values.reduce((total, value) => total + BigInt(value), 0n)

const coins = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const nfts = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'])
const swaps = parseAbi([
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)',
])
const decoded = (abi: readonly unknown[], log: z.infer<typeof Log>): Record<string, bigint | string> | undefined => {
  try {
    return decodeEventLog({ abi: abi as typeof swaps, data: log.data as Hex, topics: log.topics as [Hex], strict: true }).args as unknown as Record<string, bigint | string>
  } catch { return undefined }
}

describe('normalized Ethereum against other decoders', function () {
  this.timeout(120_000)
  let store: Store
  before(async () => {
    store = (await freshStore()).store
    await insertRaw(store, heights)
    await normalize(store, Math.min(...heights), Math.max(...heights))
  })

  for (const height of [14000000, 17000000, 17300000]) {
    it(`finds the token transfers chainstorage found in ${height}`, async () => {
      const Theirs = z.array(z.object({ tokenAddress: z.string(), fromAddress: z.string(), toAddress: z.string(), logIndex: z.string().default('0'), erc20: z.object({ value: z.string() }).optional(), erc721: z.object({ tokenId: z.string() }).optional() }))
      const path = new URL(`../../fixtures/expected/chainstorage_token_transfers_${height}.json.gz`, import.meta.url)
      const theirs = Theirs.parse(JSON.parse(gunzipSync(readFileSync(path)).toString()))
        .map((one) => [one.logIndex, bare(one.tokenAddress), bare(one.fromAddress), bare(one.toAddress), one.erc20?.value ?? '1', one.erc721?.tokenId ?? '0'].join())
      const ours = (await rowsOf(store, 'movements', height)).filter(({ kind }) => kind === 'erc20' || kind === 'erc721')
        .map((row) => [row['position'], row['token'], row['from_address'], row['to_address'], row['amount'], row['token_id']].join())
      assert.deepEqual(ours.sort(), theirs.sort())
    })
  }

  it('keeps every field of blocks, transactions and logs', async () => {
    for (const height of heights) {
      const [block, receipts, logs] = [blockOf(height), receiptsOf(height), logsOf(height)]
      const [row] = await rowsOf(store, 'blocks', height)
      assert.deepEqual([row?.['tx_count'], row?.['log_count'], row?.['withdrawal_count'], row?.['gas_used'], row?.['base_fee_per_gas']],
        [block.transactions.length, logs.length, block.withdrawals?.length ?? 0, number(block.gasUsed), block.baseFeePerGas === undefined ? '-' : number(block.baseFeePerGas)].map(String))
      assert.equal(Date.parse(`${row?.['block_time']}Z`) / 1000, Number(block.timestamp))
      assert.deepEqual((await rowsOf(store, 'transactions', height)).map((tx) => [tx['tx_hash'], tx['from_address'], tx['to_address'], tx['value'], tx['nonce'], tx['tx_type'], tx['gas_used'], tx['gas_price'], tx['status'], tx['input_size']]),
        block.transactions.map((tx, index) => [bare(tx.hash), bare(tx.from), bare(tx.to).padStart(40, '0'), number(tx.value), number(tx.nonce), number(tx.type), number(receipts[index]?.gasUsed ?? ''),
          number(receipts[index]?.effectiveGasPrice ?? tx.gasPrice ?? ''), statusOf(receipts[index], tx.gas), String((tx.input.length - 2) / 2)]))
      assert.deepEqual((await rowsOf(store, 'logs', height)).map((log) => [log['log_index'], log['address'], log['data'], log['tx_hash'], ...[0, 1, 2, 3].slice(0, Number(log['topic_count'])).map((n) => log[`topic${n}`])]),
        logs.map((log) => [number(log.logIndex), bare(log.address), bare(log.data), bare(log.transactionHash), ...log.topics.map(bare)]))
    }
  })

  it('decodes the transfers viem decodes, and pays what was sent', async () => {
    for (const height of heights) {
      const rows = await rowsOf(store, 'movements', height)
      const expected = logsOf(height).flatMap((log) => {
        const [coin, nft] = [decoded(coins, log), decoded(nfts, log)]
        if (coin?.['value'] !== undefined && log.topics.length === 3 && log.data.length === 66) return [[number(log.logIndex), 'erc20', bare(String(coin['from'])), bare(String(coin['to'])), String(coin['value']), '0']]
        if (nft?.['tokenId'] !== undefined && nft['from'] !== undefined && log.topics.length === 4) return [[number(log.logIndex), 'erc721', bare(String(nft['from'])), bare(String(nft['to'])), '1', String(nft['tokenId'])]]
        return []
      })
      const ours = rows.filter(({ kind }) => kind === 'erc20' || kind === 'erc721').map((row) => [row['position'], row['kind'], row['from_address'], row['to_address'], row['amount'], row['token_id']])
      const order = (list: (string | undefined)[][]) => list.sort((a, b) => Number(a[0]) - Number(b[0]))
      assert.deepEqual(order(ours), order(expected), String(height))
      const receipts = receiptsOf(height)
      const paid = blockOf(height).transactions.filter((tx, index) => statusOf(receipts[index], tx.gas) === '1').map((tx) => number(tx.value))
      assert.equal(sum(rows.filter(({ kind }) => kind === 'native').map((row) => row['amount'] ?? '')), sum(paid), String(height))
      const withdrawn = blockOf(height).withdrawals?.map((one) => String(BigInt(one.amount) * 10n ** 9n)) ?? []
      assert.equal(sum(rows.filter(({ kind }) => kind === 'withdrawal').map((row) => row['amount'] ?? '')), sum(withdrawn), String(height))
    }
  })

  it('decodes the V2 and V3 swaps viem decodes', async () => {
    for (const height of heights) {
      const ours = (await rowsOf(store, 'swap_legs', height)).filter(({ protocol }) => /_v[23]$|_fork$/.test(protocol ?? '') && !/balancer|maverick/.test(protocol ?? ''))
        .map((row) => [row['log_index'], row['pool']?.slice(24), row['amount_sold'], row['amount_bought']])
      const expected = logsOf(height).flatMap((log) => {
        const args = decoded(swaps, log)
        if (args === undefined) return []
        const [zero, one] = args['amount0'] === undefined
          ? [BigInt(args['amount0In'] ?? 0) - BigInt(args['amount0Out'] ?? 0), BigInt(args['amount1In'] ?? 0) - BigInt(args['amount1Out'] ?? 0)] : [BigInt(args['amount0']), BigInt(args['amount1'] ?? 0)]
        const [sold, bought] = zero > 0n ? [zero, -one] : [one, -zero]
        return [[number(log.logIndex), bare(log.address), String(sold), String(bought)]]
      })
      assert.deepEqual(ours, expected, String(height))
    }
  })

  it('counts the ten thousand NFTs of the first proof-of-stake block', async () => {
    const rows = await rowsOf(store, 'movements', 15537394)
    assert.equal(rows.filter(({ kind }) => kind === 'erc721').length, 10_023)
    assert.equal(rows.filter(({ kind }) => kind === 'erc20').length, 11)
  })

  it('knows every transaction type there is', async () => {
    assert.deepEqual([...new Set((await rowsOf(store, 'transactions', 22869878)).map((row) => row['tx_type']))].sort(), ['0', '1', '2', '3', '4'])
  })
})
