/** A server with everything that the conformance suite asks for, to stand behind the product's endpoint in tests. It never leaves them. */
import { inputRequired, ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server, type GetPromptResult, type McpRequestContext, type Prompt, type ReadResourceResult } from '@modelcontextprotocol/server'
import { answeringTools, pixel } from './fixtureTools.js'
import { asks, roundTools, states } from './fixtureRounds.js'

const tools = { ...answeringTools, ...roundTools }
const says = (words: string): GetPromptResult => ({ messages: [{ role: 'user', content: { type: 'text', text: words } }] })

const prompts: Readonly<Record<string, { readonly prompt: Omit<Prompt, 'name'>; readonly get: (given: Readonly<Record<string, string>>) => GetPromptResult }>> = {
  test_simple_prompt: { prompt: { description: 'A prompt' }, get: () => says('This is a simple prompt for testing.') },
  test_prompt_with_arguments: {
    prompt: { description: 'A prompt with arguments', arguments: [{ name: 'arg1', description: 'First', required: true }, { name: 'arg2', description: 'Second', required: true }] },
    get: ({ arg1, arg2 }) => says(`Prompt with arguments: arg1='${arg1 ?? ''}', arg2='${arg2 ?? ''}'`),
  },
  test_prompt_with_embedded_resource: {
    prompt: { description: 'A prompt with a resource', arguments: [{ name: 'resourceUri', description: 'Resource', required: true }] },
    get: ({ resourceUri = '' }) => ({ messages: [
      { role: 'user', content: { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } } },
      { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
    ] }),
  },
  test_prompt_with_image: {
    prompt: { description: 'A prompt with an image' },
    get: () => ({ messages: [{ role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } }, { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } }] }),
  },
  test_input_required_result_prompt: { prompt: { description: 'A prompt that asks first' }, get: () => says('With context') },
}

const read = (uri: string): ReadResourceResult => {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
  if (id !== undefined) return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }] }
  if (uri === 'test://static-text') return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: pixel }] }
  throw new ResourceNotFoundError(uri)
}

export const fixtureServer = ({ era }: McpRequestContext): Server => {
  const lasting = { ttlMs: 60_000, cacheScope: 'private' } as const
  const server = new Server({ name: 'fixture', version: '1.0.0' }, {
    capabilities: { tools: {}, resources: era === 'legacy' ? { subscribe: true } : {}, prompts: {}, completions: {}, logging: {} }, requestState: { verify: states.verify },
    cacheHints: { 'tools/list': lasting, 'prompts/list': lasting, 'resources/list': lasting, 'resources/templates/list': lasting, 'server/discover': lasting, 'resources/read': lasting },
  })
  server.setRequestHandler('tools/list', () => ({ tools: Object.entries(tools).map(([name, { properties = {} }]) => ({ name, description: `Fixture ${name}`, inputSchema: { type: 'object' as const, properties: { ...properties }, required: Object.keys(properties) } as never })) }))
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool')
    return tool.run(params.arguments ?? {}, ctx)
  })
  server.setRequestHandler('resources/list', () => ({ resources: ['text', 'binary'].map((kind) => ({ uri: `test://static-${kind}`, name: kind, description: `Static ${kind}` })) }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', description: 'A template' }] }))
  server.setRequestHandler('resources/read', ({ params }) => read(params.uri))
  if (era === 'legacy') {
    server.setRequestHandler('resources/subscribe', () => ({}))
    server.setRequestHandler('resources/unsubscribe', () => ({}))
  }
  server.setRequestHandler('prompts/list', () => ({ prompts: Object.entries(prompts).map(([name, { prompt }]) => ({ name, ...prompt })) }))
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => {
    const found = Object.hasOwn(prompts, params.name) ? prompts[params.name] : undefined
    if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown prompt')
    if (params.name === 'test_input_required_result_prompt' && mcpReq.inputResponses?.['user_context'] === undefined) return inputRequired({ inputRequests: { user_context: asks('What context should the prompt use?', 'context') } })
    return found.get(params.arguments ?? {})
  })
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
  return server
}
