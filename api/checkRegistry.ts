/** Refuses, when the service loads, a registry that would mislead callers. */
import type { Operation } from './operation.js'
import { fieldsOfPath } from './routes.js'
import { fieldsOf } from './values.js'

/** Throws on a name, alias or route used twice, an input that is not flat or not described, a path parameter without a field, a tool behind a tier, a cached write. */
export const checkRegistry = (operations: readonly Operation[]): void => {
  const names = new Set<string>()
  const routes = new Set<string>()
  for (const operation of operations) {
    for (const name of [operation.name, ...(operation.aliases ?? [])]) {
      if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`${name}: names are snake_case`)
      if (names.has(name)) throw new Error(`${name}: this name is used twice`)
      names.add(name)
    }
    const shape = operation.route.replace(/\{\w+\}/g, '{}')
    if (routes.has(shape)) throw new Error(`${operation.name}: ${operation.route} is used twice`)
    routes.add(shape)
    const fields = fieldsOf(operation)
    for (const field of fieldsOfPath(operation.route)) if (!fields.has(field)) throw new Error(`${operation.name}: ${field} of the path is not in the input`)
    if (operation.tier !== undefined && operation.tool) throw new Error(`${operation.name}: a tool asks for no tier, a free key reaches every tool`)
    if (operation.media !== undefined && (operation.tool || operation.cacheSeconds !== undefined)) throw new Error(`${operation.name}: a file is no tool and is not cached`)
    if (operation.streams !== undefined && (operation.tool || operation.cacheSeconds !== undefined || operation.writes === true)) throw new Error(`${operation.name}: a stream is no tool, no write, and is not cached`)
    if (operation.writes === true && operation.cacheSeconds !== undefined) throw new Error(`${operation.name}: a write is not cached`)
  }
}
