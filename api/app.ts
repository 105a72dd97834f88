/** The application: middleware in the order a request meets it, then mounts, the registry's routes, documents, and the unknown path. */
import Koa from 'koa'
import { checkRegistry } from './checkRegistry.js'
import type { Middleware, Mount, Parts, State } from './context.js'
import { serveDocuments } from './documents/serve.js'
import { authorize } from './invoke.js'
import { measurements } from './measurements.js'
import { admission } from './middleware/admission.js'
import { accessLog } from './middleware/accessLog.js'
import { auth } from './middleware/auth.js'
import { caller } from './middleware/caller.js'
import { cors } from './middleware/cors.js'
import { errors } from './middleware/errors.js'
import { rateLimit } from './middleware/rateLimit.js'
import { requestId } from './middleware/requestId.js'
import { securityHeaders } from './middleware/securityHeaders.js'
import { rest } from './rest.js'

const mounted = (mounts: readonly Mount[]): Middleware => {
  const places = mounts.flatMap((mount) => mount.paths.map((path) => ({ mount, path, below: path === '/' ? '' : `${path}/` })))
  return (ctx, next) => {
    const { path } = ctx
    const mount = places.find((place) => path === place.path || (place.below !== '' && path.startsWith(place.below)))?.mount
    if (mount === undefined) return next()
    ctx.state.operation = mount.name
    authorize(mount, ctx.state.principal)
    return mount.middleware(ctx as never, next)
  }
}

const unknownPath: Middleware = (ctx) => {
  ctx.status = 404
  ctx.body = { error: 'NOT_FOUND', path: ctx.path, method: ctx.method, hint: `Paths are listed at ${ctx.state.baseUrl}/openapi.json` }
}

/** Throws when the registry is not sound. Bodies are read where a route wants one, after the caller has been counted. */
export const createApp = (parts: Parts): Koa<State> => {
  checkRegistry(parts.operations)
  const { config, log, metrics, services } = parts
  const app = new Koa<State>()
  app.on('error', (thrown: Error) => { log.debug({ reason: thrown.message }, 'connection ended early') })
  app.use(requestId)
  app.use(caller(config))
  app.use(securityHeaders)
  app.use(accessLog(log, metrics, parts.operations))
  app.use(errors(log))
  app.use(cors(config.CORS_ORIGINS))
  app.use(auth(parts))
  app.use(rateLimit(services.limits))
  app.use(admission)
  app.use(mounted(parts.mounts))
  app.use(rest(parts))
  app.use(serveDocuments(parts))
  app.use(measurements(parts))
  app.use(unknownPath)
  return app
}
