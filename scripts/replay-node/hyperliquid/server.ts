/** The venue over HTTP and WebSocket on loopback: recorded answers in its real shapes, and whatever a test makes it say: `startVenue(options)`. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { accept, type Peer } from './frames.js'
import { answerTo } from './recorded.js'

type Question = Readonly<Record<string, unknown>>
export interface VenueOptions {
  /** 0 or absent: any free one. */
  readonly port?: number
  /** Milliseconds between looks at what is subscribed; absent: 1,000. */
  readonly everyMs?: number
  /** Answers of its own to a question, before the recorded ones; undefined: none. */
  readonly answer?: (asked: Question) => unknown
  /** Subscriptions that it does not take; absent: none. */
  readonly refuses?: (subscription: Question) => boolean
}
export interface Venue {
  readonly url: string
  /** Where its leaderboard is. */
  readonly leaderboardUrl: string
  /** Says a text to every connection, whatever it is. */
  say(text: string): void
  /** Ends every connection. */
  cut(): void
  /** The next so many questions get a 429. */
  refuse(questions: number): void
  /** Questions by type, connections and subscriptions so far. */
  readonly counters: { readonly asked: Record<string, number>; connections: number; subscriptions: number; refused: number }
  close(): Promise<void>
}

const leaderboardPath = '/Mainnet/leaderboard'
/** None was recorded: nobody is listed, unless somebody is made. */
const nobody = { leaderboardRows: [] }

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** What a new subscription is told at once, and allMids and books again and again. */
const spoken = (subscription: Question, answer: (asked: Question) => unknown): string | undefined => {
  const { type, coin, user } = subscription
  const say = (data: unknown): string => JSON.stringify({ channel: type, data })
  if (type === 'allMids') return say({ mids: answer({ type: 'allMids' }) })
  if (type === 'l2Book') { const book = answer({ type: 'l2Book', coin }); return book === null ? undefined : say(book) }
  if (type === 'userFills') return say({ user, isSnapshot: true, fills: answer({ type: 'userFills', user }) })
  if (type === 'userFundings') {
    const paid = answer({ type: 'userFunding', user }) as readonly { time: number; hash: string; delta: object }[]
    return say({ user, isSnapshot: true, fundings: paid.map(({ time, hash, delta: { ...delta } }) => { delete (delta as { type?: string }).type; return { time, hash, ...delta } }) })
  }
  return undefined
}

/** Starts the venue; resolves when it listens on 127.0.0.1. */
export const startVenue = async (options: VenueOptions = {}): Promise<Venue> => {
  const answer = (asked: Question): unknown => options.answer?.(asked) ?? answerTo(asked)
  const counters: Venue['counters'] = { asked: {}, connections: 0, subscriptions: 0, refused: 0 }
  const peers = new Map<Peer, Map<string, Question>>()
  let refusing = 0

  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, body: string): void => { response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body) }
    const text = await read(request)
    const board = request.method === 'GET' && request.url === leaderboardPath
    if (!board && (request.method !== 'POST' || request.url !== '/info')) { send(404, 'null'); return }
    if (refusing > 0) { refusing -= 1; counters.refused += 1; send(429, 'null'); return }
    let asked: Question
    try { asked = board ? { type: 'leaderboard' } : JSON.parse(text) as Question } catch { send(422, '"Failed to deserialize the JSON body into the target type"'); return }
    const type = String(asked['type'])
    counters.asked[type] = (counters.asked[type] ?? 0) + 1
    const body = board ? options.answer?.(asked) ?? nobody : answer(asked)
    if (body === undefined) send(422, '"Failed to deserialize the JSON body into the target type"')
    else send(200, JSON.stringify(body))
  }

  const talk = (peer: Peer): void => {
    const subscriptions = new Map<string, Question>()
    peers.set(peer, subscriptions)
    counters.connections += 1
    peer.onEnd(() => peers.delete(peer))
    peer.onText((text) => {
      const { method, subscription } = JSON.parse(text) as { method: string; subscription?: Question }
      if (method === 'ping') { peer.send('{"channel":"pong"}'); return }
      if (subscription === undefined) { peer.send(JSON.stringify({ channel: 'error', data: `Error parsing JSON into valid websocket request: ${text}` })); return }
      const key = JSON.stringify(subscription)
      if (method === 'subscribe' && options.refuses?.(subscription) === true) { peer.send(JSON.stringify({ channel: 'error', data: `Invalid subscription ${key}` })); return }
      peer.send(JSON.stringify({ channel: 'subscriptionResponse', data: { method, subscription } }))
      if (method === 'unsubscribe') { subscriptions.delete(key); return }
      counters.subscriptions += 1
      subscriptions.set(key, subscription)
      const first = spoken(subscription, answer)
      if (first !== undefined) peer.send(first)
    })
  }

  const server = createServer((request, response) => { reply(request, response).catch(() => { response.destroy() }) })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => { sockets.add(socket); socket.once('close', () => sockets.delete(socket)) })
  server.on('upgrade', (request, socket) => { if (request.url === '/ws') talk(accept(request, socket)); else socket.destroy() })
  const timer = setInterval(() => {
    for (const [peer, subscriptions] of peers) {
      for (const subscription of subscriptions.values()) {
        const again = /^(allMids|l2Book)$/.test(String(subscription['type'])) ? spoken(subscription, answer) : undefined
        if (again !== undefined) peer.send(again)
      }
    }
  }, options.everyMs ?? 1_000)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', () => { resolve() })
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url, leaderboardUrl: `${url}${leaderboardPath}`, counters,
    say: (text) => { for (const peer of peers.keys()) peer.send(text) },
    cut: () => { for (const peer of peers.keys()) peer.cut() },
    refuse: (questions) => { refusing = questions },
    close: () => new Promise((resolve) => {
      clearInterval(timer)
      server.close(() => { resolve() })
      for (const socket of sockets) socket.destroy()
    }),
  }
}
