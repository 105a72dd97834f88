/** The tools of the conformance suite that ask by an answer of their own (2026-07-28) and go on when they are called again. */
import { createRequestStateCodec, inputRequired, type InputRequest } from '@modelcontextprotocol/server'
import { canOf, text, type FixtureTool } from './fixtureTools.js'

/** Signs what a client carries from one round to the next. */
export const states = createRequestStateCodec<{ readonly round: number }>({ key: 'k'.repeat(32) })

export const asks = (message: string, name: string, type: 'string' | 'boolean' = 'string'): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: { [name]: { type } as never }, required: [name] } })
const samples = (words: string, maxTokens: number): InputRequest => inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens })

type Given = Readonly<Record<string, any>> | undefined

/** Asks for `wanted` until each has an answer of the right shape, then says what `done` makes of them. `round`: carries a signed state. */
const oneRound = (wanted: Readonly<Record<string, InputRequest>>, fits: (given: NonNullable<Given>) => boolean, done: (given: NonNullable<Given>) => string, carries = false): FixtureTool => ({
  run: async (_args, ctx) => {
    const given = ctx.mcpReq.inputResponses as Given
    if (given !== undefined && fits(given) && (!carries || ctx.mcpReq.requestState() !== undefined)) return text(done(given))
    return inputRequired({ inputRequests: { ...wanted }, ...(carries ? { requestState: await states.mint({ round: 1 }, ctx) } : {}) })
  },
})

const named = (given: Given, key: string, field: string): unknown => given?.[key]?.content?.[field]

const rounds: FixtureTool = {
  run: async (_args, ctx) => {
    const given = ctx.mcpReq.inputResponses as Given
    const at = ctx.mcpReq.requestState<{ round: number }>()?.round ?? 0
    if (at === 1 && named(given, 'step1', 'name') !== undefined) return inputRequired({ inputRequests: { step2: asks('Step 2: What is your favorite color?', 'color') }, requestState: await states.mint({ round: 2 }, ctx) })
    if (at === 2 && named(given, 'step2', 'color') !== undefined) return text(`The color is ${String(named(given, 'step2', 'color'))}`)
    return inputRequired({ inputRequests: { step1: asks('Step 1: What is your name?', 'name') }, requestState: await states.mint({ round: 1 }, ctx) })
  },
}

const roots = (given: NonNullable<Given>): boolean => Array.isArray(given['client_roots']?.roots)
const confirms = oneRound({ confirm: asks('Please confirm', 'ok', 'boolean') }, (given) => named(given, 'confirm', 'ok') !== undefined, () => 'state-ok', true)

export const roundTools: Readonly<Record<string, FixtureTool>> = {
  test_input_required_result_elicitation: oneRound({ user_name: asks('What is your name?', 'name') }, (given) => typeof named(given, 'user_name', 'name') === 'string', (given) => `Hello, ${String(named(given, 'user_name', 'name'))}!`),
  test_input_required_result_sampling: oneRound({ capital_question: samples('What is the capital of France?', 100) }, (given) => given['capital_question']?.content !== undefined, (given) => JSON.stringify(given['capital_question'].content)),
  test_input_required_result_list_roots: oneRound({ client_roots: inputRequired.listRoots() }, roots, (given) => JSON.stringify(given['client_roots'].roots)),
  test_input_required_result_request_state: confirms, test_input_required_result_tampered_state: confirms,
  test_input_required_result_multiple_inputs: oneRound(
    { user_name: asks('What is your name?', 'name'), greeting: samples('Generate a greeting', 50), client_roots: inputRequired.listRoots() },
    (given) => named(given, 'user_name', 'name') !== undefined && given['greeting']?.content !== undefined && roots(given), () => 'All answered', true),
  test_input_required_result_multi_round: rounds,
  test_input_required_result_capabilities: {
    run: (_args, ctx) => {
      const can = canOf(ctx)
      const wanted = { ...(can.sampling === undefined ? {} : { words: samples('Say something', 20) }), ...(can.elicitation === undefined ? {} : { user_name: asks('What is your name?', 'name') }) }
      return Promise.resolve(Object.keys(wanted).length === 0 ? text('This client is asked nothing') : inputRequired({ inputRequests: wanted }))
    },
  },
}
