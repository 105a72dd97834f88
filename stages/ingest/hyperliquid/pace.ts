/** What the venue lets one address do by socket: new connections and messages within a sliding minute, however many subscriptions there are. */
import { WebSocket } from 'undici'
import { openBudget, realClock, type Clock } from './budget.js'

/** What a minute has room for, by `clock`; absent: the real one. */
export interface Limits { readonly connections: number; readonly messages: number; readonly clock?: Clock }
export const venueLimits: Limits = { connections: 30, messages: 2_000 }

export interface Pace {
  /** Sends in its turn, whoever sends: what the client asks for again by itself and its pings count as well. */
  readonly WebSocket: typeof WebSocket
  /** Resolves when a connection may be opened, which will send so many messages at once. */
  connect(messages: number): Promise<void>
  /** Resolves when so many messages may be sent. Sent without it they wait as well, but the client counts that as seconds without an answer. */
  room(messages: number): Promise<void>
  /** Ends every wait. */
  end(): void
}

export const openPace = ({ connections: mostConnections, messages: mostMessages, clock = realClock }: Limits): Pace => {
  const connections = openBudget(mostConnections, clock), messages = openBudget(mostMessages, clock)
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => { end = resolve })
  let connecting: Promise<void> = Promise.resolve()
  class Paced extends WebSocket {
    override send(data: Parameters<WebSocket['send']>[0]): void {
      void messages.take(1).then(() => { if (this.readyState === WebSocket.OPEN) super.send(data) })
    }
  }
  return {
    WebSocket: Paced, end,
    // Connections come last: one that is counted is opened at once.
    connect: (asks) => (connecting = Promise.race([ended, messages.room(asks).then(() => connections.take(1))])),
    // While none may be opened, nothing is asked for either.
    room: (asks) => (asks === 0 ? Promise.resolve() : Promise.race([ended, connecting.then(() => messages.room(asks))])),
  }
}
