/** The tools that the official conformance suite asks a server to have, as far as they only answer, tell or ask as 2025 clients were asked. */
import { CLIENT_CAPABILITIES_META_KEY, inputRequired, MissingRequiredClientCapabilityError, type CallToolResult, type ClientCapabilities, type InputRequiredResult, type ServerContext } from '@modelcontextprotocol/server'

export type Answer = CallToolResult | InputRequiredResult
export interface FixtureTool { readonly properties?: Readonly<Record<string, object>>; run(args: Readonly<Record<string, unknown>>, ctx: ServerContext): Promise<Answer> }

/** One transparent pixel. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
/** A WAV file without samples. */
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

export const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })
/** What a 2026 client said it can, with this very call. */
export const canOf = ({ mcpReq }: ServerContext): ClientCapabilities => (mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, milliseconds) })
const answers = (result: CallToolResult): FixtureTool => ({ run: () => Promise.resolve(result) })

const logs: FixtureTool = {
  run: async (_args, { mcpReq }) => {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) { await mcpReq.log('info', words); await wait(50) }
    return text('Logged three times')
  },
}

const progress: FixtureTool = {
  run: async (_args, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken
    for (const done of [0, 50, 100]) {
      if (token !== undefined) await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, progress: done, total: 100 } })
      await wait(50)
    }
    return text('Done')
  },
}

/** Asks as 2025 clients are asked: by a request on the stream of the call. */
const elicits = (told: string, schema: (args: Readonly<Record<string, unknown>>) => { message: string; properties: Record<string, object>; required?: string[] }): FixtureTool['run'] => async (args, { mcpReq }) => {
  const { message, properties, required } = schema(args)
  const { action, content } = await mcpReq.send({ method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: { type: 'object', properties, ...(required === undefined ? {} : { required }) } as never } })
  return text(`${told}: action=${action}, content=${JSON.stringify(content ?? {})}`)
}

const titled = (...titles: string[]): object[] => titles.map((title, at) => ({ const: `value${at + 1}`, title }))

export const answeringTools: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: answers(text('This is a simple text response for testing.')),
  test_image_content: answers({ content: [{ type: 'image', data: pixel, mimeType: 'image/png' }] }),
  test_audio_content: answers({ content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] }),
  test_embedded_resource: answers({ content: [{ type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' } }] }),
  test_multiple_content_types: answers({ content: [
    { type: 'text', text: 'Multiple content types test:' }, { type: 'image', data: pixel, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: JSON.stringify({ test: 'data', value: 123 }) } },
  ] }),
  test_error_handling: answers({ isError: true, content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }] }),
  test_tool_with_logging: logs, test_logging_tool: logs, test_tool_with_progress: progress,
  test_sampling: {
    properties: { prompt: { type: 'string' } },
    run: async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.send({ method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }], maxTokens: 100 } })
      return text(`LLM response: ${'text' in content ? content.text : ''}`)
    },
  },
  test_elicitation: {
    properties: { message: { type: 'string' } },
    run: elicits('User response', ({ message }) => ({ message: String(message), properties: { username: { type: 'string', description: 'User\'s response' }, email: { type: 'string', description: 'User\'s email address' } }, required: ['username', 'email'] })),
  },
  test_elicitation_sep1034_defaults: { run: elicits('Elicitation completed', () => ({ message: 'Defaults', properties: {
    name: { type: 'string', default: 'John Doe' }, age: { type: 'integer', default: 30 }, score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' }, verified: { type: 'boolean', default: true },
  } })) },
  test_elicitation_sep1330_enums: { run: elicits('Elicitation completed', () => ({ message: 'Choices', properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] }, titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } }, titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
  } })) },
  test_missing_capability: {
    run: (_args, ctx) => {
      if (canOf(ctx).sampling === undefined) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
      return Promise.resolve(text('The client can sample'))
    },
  },
  test_streaming_elicitation: { run: () => Promise.resolve(inputRequired({ inputRequests: { go_on: inputRequired.elicit({ message: 'Go on?', requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } }) } })) },
}
