/** What a register is: bundled files, and the rows they hold. */
import { readFileSync, readdirSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { AddressClass, ConfidenceLevel } from './classes.js'

/** One statement about one address. address: lower-case hex with 0x on Ethereum, as written on Bitcoin. validFrom: YYYY-MM-DD. */
export interface Label {
  readonly chain: string; readonly address: string; readonly label: string; readonly entity: string; readonly category: AddressClass
  readonly rule: string; readonly confidence: number; readonly validFrom: string
  /** Level of the scale of confidence (the table confidence_levels). */
  readonly level: ConfidenceLevel
  /** An authority's list, or what a service publishes of itself: it goes before the rest, whatever the level. */
  readonly official?: boolean
  /** Where the source says so: text of strangers. */
  readonly reference?: string
}
/** One token; decimals null where the list does not say. */
export interface Token { readonly chain: string; readonly address: string; readonly symbol: string; readonly name: string; readonly decimals: number | null; readonly stable: boolean }

export interface Register {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** Where two lists know a token, the higher rank counts. */
  readonly rank: number
  readonly files: readonly string[]
  read(texts: readonly string[]): { readonly labels: readonly Label[]; readonly tokens: readonly Token[] }
}

const folder = new URL('data/', import.meta.url)

/** Paths of the bundled files in a folder of data/, in order. */
export const filesIn = (name: string): readonly string[] => readdirSync(new URL(`${name}/`, folder)).sort().map((file) => `${name}/${file}`)
/** A bundled file as it lies there. */
export const bytesOf = (file: string): Buffer => readFileSync(new URL(file, folder))
export const textOf = (file: string, bytes: Buffer): string => (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
export const isEvmAddress = (address: string): boolean => /^0x[0-9a-f]{40}$/.test(address)
