/** The venue's REST side: the usual client asks, the paced transport sends and keeps each answer as the bytes it came in. */
import type * as Hyperliquid from '@nktkas/hyperliquid'
import { AppError } from '../../../schemas/errors.js'
import { loadPackage } from '../../../schemas/loadPackage.js'
import { openHttp, ownBytes, textOf } from '../endpoint.js'
import { isPatient, openBudget, weightOf, weightOfItems, type Clock } from './budget.js'
import type { Heard } from './journal.js'

export interface Rest { readonly name: string; readonly info: Hyperliquid.InfoClient; close(): Promise<void> }

/** Milliseconds nothing is asked after a 429. */
const restMs = 10_000
const attempts = 5

/** Opens the REST side at `url` (without /info), within `perMinute` weight; `heard` gets each answer before the caller does. */
export const openRest = (url: string, perMinute: number, heard: (one: Heard) => void, clock?: Clock): Rest => {
  const wire = openHttp(`${url.replace(/\/+$/, '')}/info`, 1, { concurrency: 8, perSecond: 100, timeoutMs: 15_000 })
  const budget = openBudget(perMinute, clock)
  const transport: Hyperliquid.IRequestTransport = {
    isTestnet: false,
    request: async <Answer>(endpoint: string, payload: unknown): Promise<Answer> => {
      if (endpoint !== 'info') throw new AppError('RPC_UNSUPPORTED', `Nothing is sent to ${endpoint}`, { retry: 'never' })
      const request = JSON.stringify(payload)
      const type = String((payload as { type?: unknown }).type)
      for (let left = attempts; ; left -= 1) {
        await budget.take(weightOf(type), isPatient(type))
        try {
          const { body } = await wire.send({ label: type, payload: request })
          const text = textOf(body)
          let answer: unknown
          try { answer = JSON.parse(text) } catch { throw new AppError('RPC_GARBLED', `${wire.name}: ${type}: not JSON`, { retry: 'attempt', endpoint: wire.name }) }
          heard({ kind: 'info', request, payload: ownBytes(body), endpoint: wire.name, at: Date.now() })
          if (Array.isArray(answer)) budget.charge(weightOfItems(type, answer.length))
          return answer as Answer
        } catch (thrown) {
          if (!(thrown instanceof AppError) || left <= 1 || thrown.code === 'RPC_REFUSED') throw thrown
          budget.hold(thrown.code === 'RPC_LIMITED' ? restMs : 500)
        }
      }
    },
  }
  // Here, as most workers hear no venue.
  const { InfoClient } = loadPackage('@nktkas/hyperliquid') as typeof Hyperliquid
  return { name: wire.name, info: new InfoClient({ transport }), close: () => wire.close() }
}
