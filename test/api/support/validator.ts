/** The validator's constructor, whichever way the module system hands it over. */
import * as validator from 'openapi-response-validator'

interface Validator { validateResponse(status: number, body: unknown): unknown }
type Constructor = new (options: { responses: unknown; components: unknown }) => Validator
const found = validator as unknown as { default: Constructor | { default: Constructor } }
export const OpenAPIResponseValidator: Constructor = 'default' in found.default ? found.default.default : found.default
