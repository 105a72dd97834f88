/** Owners that clusters tell, for addresses of Bitcoin of which nothing else tells one: as known now, by inputs that were spent together. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { untrusted } from '../../untrusted.js'

const owners = loadSql(import.meta.url, 'readOwners.sql')
const Owner = z.object({ address: z.string(), cluster: z.string(), entity: z.string().transform((raw) => untrusted(raw, 120)), classification: z.string(), sure: z.number().int() })

interface Known { readonly address: string; readonly entity: string; readonly classification: string; /** 0 to 100. */ readonly sure: number }
/** The cluster by which alone an owner is known, null: by none; undefined: of another chain. */
export interface ByCluster { readonly cluster?: string | null }
/** The same, for a row's fields. */
export const knownByCluster = z.string().nullable().optional().describe('Of BTC: the cluster by which alone it is known, now; with entity empty the own one; else null')
/** A row about an address, with what its cluster tells where neither its owner nor its class is known. */
export type WithOwner = <Row extends Known>(row: Row) => Row & ByCluster

/** What clusters tell of `addresses` of `chain` (some hundred at most; 0x and lower case), to be put into rows about them. Of other chains nothing is asked. Members of the cluster `own` are nobody else's: they get no owner. */
export const readOwners = async (addresses: readonly string[], chain: string, { store, signal }: Pick<Ask, 'store' | 'signal'>, own: string | null = null): Promise<WithOwner> => {
  if (chain !== 'BTC') return (row) => row
  const told = new Map((await store.query(owners, { chain, addresses: addresses.map((address) => address.slice(2)) }, Owner, {}, signal)).map((one) => [one.address, one]))
  return (row) => {
    const owner = row.entity === '' && row.classification === 'unknown' ? told.get(row.address) : undefined
    return owner === undefined ? { ...row, cluster: null } : owner.cluster === own ? { ...row, cluster: own } : { ...row, ...owner }
  }
}
/** The cluster of `address` (0x and lower case), if it goes by a name; else null. */
export const readOwnCluster = async (address: string, chain: string, ask: Pick<Ask, 'store' | 'signal'>): Promise<string | null> =>
  (await readOwners([address], chain, ask))({ address, entity: '', classification: 'unknown', sure: 0 }).cluster ?? null

/** Whether a row's owner is known by a cluster alone. */
export const isByCluster = ({ cluster, entity }: { readonly cluster?: string | null | undefined; readonly entity: string }): boolean => typeof cluster === 'string' && entity !== ''
/** How many of a row's addresses are known by their cluster alone, as clusters are now and not when they dealt. */
export const byClusterNow = z.number().int().optional().describe('Of BTC: known by cluster alone, as of now, not of then')
