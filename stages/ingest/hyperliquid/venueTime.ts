/** How new what was heard is by the venue's own clock: what is played from a recording is not news, however late it is heard. */

const key = '"time":'

const timeAt = (payload: Buffer, at: number): number => {
  if (at < 0) return 0
  const [, milliseconds, iso] = /^\s*(?:(\d{13})\b|"(\d{4}-\d\d-\d\dT[\d:.]{8,18})Z?")/.exec(payload.toString('latin1', at + key.length, at + key.length + 40)) ?? []
  return milliseconds !== undefined ? Number(milliseconds) : iso === undefined ? 0 : Date.parse(`${iso.slice(0, 23)}Z`) || 0
}

/** The newer of the first and the last time a payload names (lists go up or down), Unix milliseconds; 0 where it names none. */
export const venueTimeOf = (payload: Buffer): number => Math.max(timeAt(payload, payload.indexOf(key)), timeAt(payload, payload.lastIndexOf(key)))
