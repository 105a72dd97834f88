/** The reference for people: Redoc from this machine, and the same as one plain page where scripts do not run. Its links are relative: behind a PUBLIC_URL with a path, as without one, they lead to what is beside it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Document } from './document.js'
import { plainReference } from './plainReference.js'

const scriptPath = '/redoc/redoc.standalone.js'
/** Redoc styles its elements in the page and searches in a worker it makes itself; nothing comes from elsewhere. */
const policy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Hydrophone: reference</title><style>body{margin:0;padding:0}</style></head>'

export const reference: Document = {
  name: 'reference', path: '/redoc', type: 'text/html; charset=utf-8', cacheSeconds: 300, summary: 'The reference for people.', policy, anywhere: true,
  text: ({ operations }) => `${head}<body><redoc spec-url="openapi.json" hide-hostname="true"></redoc><script src="${scriptPath.slice(1)}"></script><noscript>${plainReference(operations)}</noscript></body></html>`,
}

/** The bundle of the package as it is, but for the one picture it would fetch from its maker's site. */
export const referenceScript: Document = {
  name: 'reference_script', path: scriptPath, type: 'text/javascript; charset=utf-8', cacheSeconds: 86_400, summary: 'The script of the reference.', part: true, anywhere: true,
  text: () => readFileSync(createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'), 'utf8')
    .replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E"),
}
