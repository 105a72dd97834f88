/** How much of an agent's context the lists take, by a real tokenizer, and what every tool must have. */
import assert from 'node:assert/strict'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { openTools } from '../../api/mcp/tools.js'
import { instructions } from '../../api/mcp/instructions.js'
import { lanes } from '../../api/operation.js'
import { operations } from '../../api/registry.js'

const tools = openTools(operations)
const tokens = (value: unknown): number => encode(JSON.stringify(value)).length

describe('MCP lists', () => {
  it('has more than 61 tools, some in each lane', () => {
    assert.ok(tools.list(null).length > 61, `${tools.list(null).length} tools`)
    assert.deepEqual(lanes.filter((lane) => tools.list(new Set([lane])).length === 0), [])
  })

  it('lists all tools in under 25,000 tokens, and each lane in under 4,000', () => {
    const sizes = lanes.map((lane) => [lane, tokens({ tools: tools.list(new Set([lane])) })] as const)
    assert.deepEqual(sizes.filter(([, size]) => size >= 4_000), [])
    const whole = tokens({ tools: tools.list(null) })
    assert.ok(whole < 25_000, `${whole} tokens`)
    assert.ok(tokens(instructions) < 800)
    if (process.env['SHOW_SIZES'] !== undefined) console.log(tools.list(null).length, 'tools', whole, Object.fromEntries(sizes.map(([lane, size]) => [lane, `${tools.list(new Set([lane])).length}: ${size}`])), tools.list(null).map((tool) => [tokens(tool), tool.name]).sort((a, b) => Number(b[0]) - Number(a[0])).slice(0, 12).join(' '))
  })

  it('names, aliases and what is behind them never collide', () => {
    const names = operations.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    assert.deepEqual(names.filter((name, at) => names.indexOf(name) !== at), [])
    for (const { name, aliases = [], tool } of operations) {
      if (!tool) assert.deepEqual(aliases, [], `${name} is no tool: nobody could call its aliases`)
      for (const alias of [name, ...aliases]) assert.equal(tools.find(alias)?.name, tool ? name : undefined)
    }
    for (const [alias, name] of [['network_status', 'get_network_summary'], ['recent_whales', 'list_whales'], ['emerging_tokens', 'list_emerging_tokens']] as const) assert.equal(tools.find(alias)?.name, name)
  })
})
