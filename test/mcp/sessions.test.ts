import assert from 'node:assert/strict'
import { openSessions } from '../../api/mcp/sessions.js'

describe('MCP sessions', () => {
  it('end when idle, and the least recently used first', () => {
    let clock = 0
    const sessions = openSessions({ each: 2, most: 3, idle: 100, now: () => clock })
    const [first, second] = [sessions.open('a'), sessions.open('a')]
    assert.ok(sessions.find(first.id, 'a'))
    const third = sessions.open('a')
    assert.equal(sessions.find(second.id, 'a'), undefined)
    assert.ok(sessions.find(first.id, 'a') && sessions.find(third.id, 'a'))
    sessions.open('b')
    sessions.open('c')
    assert.equal(sessions.find(first.id, 'a'), undefined)
    clock = 50
    assert.ok(sessions.find(third.id, 'a'))
    clock = 140
    assert.ok(sessions.find(third.id, 'a'))
    clock = 241
    assert.equal(sessions.find(third.id, 'a'), undefined)
  })

  it('belong to one owner; what runs in them ends with them', () => {
    const sessions = openSessions()
    const session = sessions.open('a')
    const running = new AbortController()
    session.running.set('1', running)
    assert.equal(sessions.find(session.id, 'b'), undefined)
    sessions.end(session)
    assert.ok(running.signal.aborted)
    assert.equal(sessions.find(session.id, 'a'), undefined)
  })
})
