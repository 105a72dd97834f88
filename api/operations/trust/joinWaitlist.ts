import { z } from 'zod'
import { usedUp } from '../../faults.js'
import { operation } from '../../operation.js'

const perHour = 10

export default operation({
  name: 'join_waitlist', route: 'POST /v1/waitlist', auth: 'public', lane: 'system', tool: false, writes: true,
  summary: `Puts an e-mail address on the waiting list. The same address twice is one; the answer does not tell which it was. ${perHour} an hour for each caller's address.`,
  input: z.object({ email: z.email().max(254).describe('E-mail address; kept, never shown or logged') }),
  output: z.object({ status: z.literal('listed') }),
  run: async ({ email }, { principal, services, writer }) => {
    const turn = await services.limits.take('waitlist', principal.ip, perHour, 3_600)
    if (!turn.allowed) throw usedUp(turn, `${perHour} an hour is the most for one address`)
    await writer.insert('waitlist', [{ email: email.toLowerCase(), joined_at: new Date().toISOString() }])
    return { status: 'listed' as const }
  },
})
