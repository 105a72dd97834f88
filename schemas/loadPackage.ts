/**
 * Loads a package of hundreds of small files as CommonJS; give it its type (`import type * as Viem from 'viem'`). As ES modules each of those files would
 * pass through the hooks that read TypeScript, in a thread of their own: nearly half of what the start of a worker took of a processor.
 */
import { createRequire } from 'node:module'

export const loadPackage = createRequire(import.meta.url) as (name: string) => unknown
