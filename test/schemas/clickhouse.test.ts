import assert from 'node:assert/strict'
import { z } from 'zod'
import { freshStore } from '../support/servers.js'

describe('the store', () => {
  const cases: readonly (readonly [number, string, string])[] = [
    [243, 'STORE_FULL', 'wait'], [241, 'STORE_BUSY', 'attempt'], [202, 'STORE_BUSY', 'attempt'], [210, 'UPSTREAM_UNAVAILABLE', 'wait'],
    [516, 'STORE_DENIED', 'attempt'], [81, 'STORE_EMPTY', 'attempt'], [60, 'STORE_EMPTY', 'attempt'], [62, 'STORE_REFUSED', 'attempt'],
  ]
  it('tells by the code of an error whether it is waited out: a full disk is, like an outage', async () => {
    const { store } = await freshStore()
    for (const [code, name, retry] of cases) {
      const asked = store.query('SELECT throwIf(1, \'no\', toInt16({code:Int16})) AS x', { code }, z.unknown(), { allow_custom_error_code_in_throwif: 1 }).catch((thrown: unknown) => thrown)
      const { code: got, retry: decision } = await asked as { code: string; retry: string }
      assert.deepEqual([code, got, decision], [code, name, retry])
    }
  })
})
