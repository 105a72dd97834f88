/** Every document, explicitly. They are served, described, summed up and mapped by loops over this list. */
import agents from './agents.js'
import attestation from './attestation.js'
import type { Document } from './document.js'
import { llms, llmsFull } from './llms.js'
import manifest from './manifest.js'
import { openapi, openapiSummary } from './openapi.js'
import { protectedResource } from './protectedResource.js'
import { reference, referenceScript } from './reference.js'
import { robots, sitemap } from './site.js'

export const documents: readonly Document[] = [openapi, openapiSummary, reference, referenceScript, manifest, protectedResource, agents, llms, llmsFull, attestation, robots, sitemap]
