/** SQD's metrics server asks for a port on every interface: here it gets it on loopback. Imported before anything listens. */
import { Server } from 'node:net'

const listen = Server.prototype.listen as (this: Server, ...given: unknown[]) => Server
Server.prototype.listen = function (this: Server, ...[where, ...rest]: unknown[]): Server {
  return listen.call(this, typeof where === 'number' ? { port: where, host: '127.0.0.1' } : where, ...rest)
} as typeof Server.prototype.listen
