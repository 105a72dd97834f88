/** What may be asked of a node: reading methods only, each with the parameters it takes. What is not here is never sent. */
import { z } from 'zod'

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const Hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
const quantity = z.string().regex(/^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,15})$/)
const Slot = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/)
const Block = z.union([z.enum(['latest', 'safe', 'finalized', 'earliest']), quantity, z.number().int().min(0).transform((height) => `0x${height.toString(16)}`)]).default('latest')
/** Whole blocks come with every transaction: headers and transaction hashes are as much as is given here. */
const HashesOnly = z.literal(false).default(false)
const none = z.tuple([])

/** Methods that call_node passes on, Ethereum; parameters left out get their usual value. */
export const ethereumMethods: Readonly<Record<string, z.ZodType<readonly unknown[]>>> = {
  eth_blockNumber: none, eth_chainId: none, eth_gasPrice: none, eth_maxPriorityFeePerGas: none, eth_blobBaseFee: none, eth_syncing: none, net_version: none,
  eth_getBalance: z.tuple([Address, Block]), eth_getCode: z.tuple([Address, Block]), eth_getTransactionCount: z.tuple([Address, Block]), eth_getStorageAt: z.tuple([Address, Slot, Block]),
  eth_getProof: z.tuple([Address, z.array(Slot).max(16), Block]),
  eth_getBlockByNumber: z.tuple([Block, HashesOnly]), eth_getBlockByHash: z.tuple([Hash, HashesOnly]),
  eth_getBlockTransactionCountByNumber: z.tuple([Block]), eth_getBlockTransactionCountByHash: z.tuple([Hash]),
  eth_getTransactionByHash: z.tuple([Hash]), eth_getTransactionByBlockNumberAndIndex: z.tuple([Block, quantity]), eth_getTransactionByBlockHashAndIndex: z.tuple([Hash, quantity]),
  eth_getTransactionReceipt: z.tuple([Hash]),
}

const TxId = z.string().regex(/^[0-9a-fA-F]{64}$/)
const Height = z.number().int().min(0).max(0x7fffffff)

/** The same for Bitcoin. */
export const bitcoinMethods: Readonly<Record<string, z.ZodType<readonly unknown[]>>> = {
  getblockcount: none, getbestblockhash: none, getblockchaininfo: none, getmempoolinfo: none, getdifficulty: none,
  getblockhash: z.tuple([Height]), getblockheader: z.tuple([TxId, z.literal(true).default(true)]), getblockstats: z.tuple([z.union([Height, TxId])]),
  getrawtransaction: z.tuple([TxId, z.literal(true).default(true)]), getmempoolentry: z.tuple([TxId]), gettxout: z.tuple([TxId, Height, z.boolean().default(true)]), estimatesmartfee: z.tuple([z.number().int().min(1).max(1008)]),
}

/** What our own operations ask beyond that, with bounds of their own. */
export const boundedMethods: readonly string[] = ['eth_call', 'eth_getLogs', 'eth_feeHistory']
