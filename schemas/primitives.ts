/** The shapes every layer shares. Each is parsed once, at the door. */
import { z } from 'zod'

/** Unsigned integer of any size as decimal digits: how 64-bit and larger numbers leave the service. */
export const Amount = z.string().regex(/^\d+$/).describe('Unsigned integer as decimal digits')
/** 20-byte address, lower-case hex with 0x. */
export const EvmAddress = z.string().regex(/^0x[0-9a-f]{40}$/).describe('20-byte address in lower-case hex')
/** An address as its chain writes it: on Ethereum as above, on Bitcoin base58 or segwit. */
export const Address = z.string().regex(/^(0x[0-9a-f]{40}|[0-9A-Za-z]{14,90})$/).describe('Address as its chain writes it: 0x and 40 hex digits, or of Bitcoin; the zero address: nobody, or not known')
/** 32-byte hash, lower-case hex: with 0x on Ethereum, bare on Bitcoin. */
export const Hash = z.string().regex(/^(0x)?[0-9a-f]{64}$/).describe('32-byte hash in lower-case hex, as its chain writes it: with 0x, or bare on Bitcoin')
/** UTC instant, ISO 8601 with milliseconds and Z. */
export const Instant = z.iso.datetime().describe('UTC time, ISO 8601')
/** Height of a block; chains stay far below 2^53, so it is a JSON number. */
export const BlockNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

export const stageNames = ['ingest', 'normalize', 'enrich', 'index', 'alert'] as const
export const StageName = z.enum(stageNames)
export type StageName = z.infer<typeof StageName>

/**
 * A job's whole payload: a pointer to one batch of blocks (inclusive bounds) whose last block has `hash`. Never data.
 * `floor` is the lowest block of the request the batch belongs to: nothing below it may influence the batch's rows.
 */
export const BatchRef = z.object({
  chain: z.string().min(1), from: BlockNumber, to: BlockNumber, hash: z.string(), generation: z.number().int().min(0), floor: BlockNumber,
}).strict()
export type BatchRef = z.infer<typeof BatchRef>

/** The batch's key: BullMQ job id and prefix of every insert token of the batch. BullMQ refuses ':' in ids. */
export const batchKey = (batch: BatchRef): string => `${batch.chain}-${batch.from}-${batch.to}-${batch.hash.replace(/^0x/, '').slice(0, 20)}-g${batch.generation}`

/** Whether a batch is a block at the tip, which somebody waits for: those of a backfill are ranges, unless blocks are so large that each is one. */
export const isTip = ({ from, to }: Pick<BatchRef, 'from' | 'to'>): boolean => from === to
