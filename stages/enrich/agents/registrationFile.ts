/** The registration file of an agent (ERC-8004): text of a stranger, parsed once, cleaned and cut. */
import { z } from 'zod'
import { cleanText } from '../cleanText.js'

export interface RegistrationFile {
  readonly name: string; readonly description: string; readonly services: readonly { readonly name: string; readonly endpoint: string; readonly version: string }[]
  readonly x402_support: boolean | null; readonly active: boolean | null; readonly supported_trust: readonly string[]
}

const text = z.string().catch('')
const flag = z.boolean().nullable().catch(null)
const Service = z.object({ name: text, endpoint: text, version: text })
const File = z.object({
  name: z.string(), description: text, services: z.array(z.unknown()).optional().catch(undefined), endpoints: z.array(z.unknown()).optional().catch(undefined),
  x402Support: flag.optional(), x402support: flag.optional(), active: flag.optional(), supportedTrust: z.array(z.unknown()).catch([]),
})
const most = { name: 100, description: 1_000, service: 50, endpoint: 300, services: 20, trust: 10 }

/** Throws where `body` is not JSON or has no name; every other member may be missing or odd. */
export const readRegistrationFile = (body: string): RegistrationFile => {
  const file = File.parse(JSON.parse(body))
  const services = (file.services ?? file.endpoints ?? []).slice(0, most.services).map((one) => Service.catch({ name: '', endpoint: '', version: '' }).parse(one)).filter(({ name, endpoint }) => name !== '' || endpoint !== '')
  return {
    name: cleanText(file.name, most.name), description: cleanText(file.description, most.description),
    services: services.map(({ name, endpoint, version }) => ({ name: cleanText(name, most.service), endpoint: cleanText(endpoint, most.endpoint), version: cleanText(version, most.service) })),
    x402_support: file.x402Support ?? file.x402support ?? null, active: file.active ?? null,
    supported_trust: file.supportedTrust.filter((one) => typeof one === 'string').slice(0, most.trust).map((one) => cleanText(one, most.service)),
  }
}
