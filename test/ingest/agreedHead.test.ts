import assert from 'node:assert/strict'
import { agreedHead, type HeadAsked } from '../../stages/ingest/heads.js'
import type { BlockHead } from '../../stages/stage.js'

const head = (number: number, branch = 'a'): BlockHead => ({ number, hash: `0x${branch}${number}`, parentHash: `0x${branch}${number - 1}`, time: number })
const never = new Promise<never>(() => undefined)
/** An endpoint whose newest block is what `latest` resolves to; below it is the same branch, or the one `below` says. */
const endpoint = (name: string, latest: Promise<BlockHead>, below?: (number: number) => Promise<BlockHead>): HeadAsked =>
  ({ name, latest: () => latest, at: async (number) => (below === undefined ? head(number, (await latest).hash[2]) : below(number)) })
const says = (name: string, number: number, branch?: string): HeadAsked => endpoint(name, Promise.resolve(head(number, branch)))
/** Longer than any test may take. */
const ever = 600_000

describe('the head endpoints agree on', () => {
  it('is not waited for where there is nobody to say it', async () => {
    await assert.rejects(agreedHead([], ever), { code: 'RPC_DOWN', retry: 'wait' })
  })

  it('is there as soon as more than half say so; who is late is no dissenter', async () => {
    let answer: (late: BlockHead) => void = () => undefined
    const { lateDissenters, ...agreed } = await agreedHead([endpoint('late', new Promise((resolve) => { answer = resolve })), says('one', 5), says('two', 5)], ever)
    assert.deepEqual(agreed, { ...head(5), endpoint: 'one', dissenters: [] })
    answer(head(6))
    assert.deepEqual(await lateDissenters, [])
  })

  it('waits for who could raise it', async () => {
    let answer: (late: BlockHead) => void = () => undefined
    const asked = agreedHead([says('ahead', 6), says('behind', 5), endpoint('late', new Promise((resolve) => { answer = resolve }))], ever)
    setImmediate(() => { answer(head(7)) })
    assert.equal((await asked).number, 6)
  })

  it('is one of those that are there, once the others have been waited for', async () => {
    const { number, hash } = await agreedHead([says('ahead', 6), says('behind', 5), endpoint('silent', never)], 20)
    assert.deepEqual([number, hash], [5, head(5).hash])
    assert.equal((await agreedHead([endpoint('silent', never), says('one', 5)], 20)).endpoint, 'one')
    // Its newest block it names, and what is below it never.
    assert.equal((await agreedHead([endpoint('half', Promise.resolve(head(6)), () => never), says('one', 5)], 20)).endpoint, 'one')
  })

  it('is never that of a dissenter, which is named whenever it answers', async () => {
    const asked = agreedHead([says('liar', 5, 'b'), endpoint('late', new Promise((resolve) => { setImmediate(() => { resolve(head(5)) }) })), says('one', 5)], ever)
    const { hash, dissenters } = await asked
    assert.deepEqual([hash, dissenters], [head(5).hash, ['liar']])
    await assert.rejects(agreedHead([says('liar', 5, 'b'), says('one', 5), endpoint('silent', never)], 20), { code: 'HEAD_DISAGREEMENT', message: /about block 5: liar says 0xb5, one says 0xa5/ })
    const liar = endpoint('liar', new Promise((resolve) => { setImmediate(() => { resolve(head(7, 'b')) }) }))
    const later = await agreedHead([liar, says('one', 5), says('two', 5)], ever)
    assert.deepEqual([later.dissenters, await later.lateDissenters], [[], ['liar']])
  })

  it('has no late dissenter where all went over to another branch meanwhile', async () => {
    const late = endpoint('late', new Promise((resolve) => { setImmediate(() => { resolve(head(5, 'b')) }) }))
    const over = (name: string): HeadAsked => endpoint(name, Promise.resolve(head(5)), async (number) => head(number, 'b'))
    const { hash, lateDissenters } = await agreedHead([late, over('one'), over('two')], ever)
    assert.deepEqual([hash, await lateDissenters], [head(5).hash, []])
  })
})
