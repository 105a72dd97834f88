/** What a generator made is told by its names wherever it shows: coins SYN-…, accounts 0x53594e54…, which no market of the venue's and no key has. */

export const madeWarning = 'Coins named SYN-… and accounts that begin with 0x53594e54 are synthetic: a generator made them, the venue said nothing of them'

const isMadeText = (value: unknown): boolean => typeof value === 'string' && (value.startsWith('SYN-') || value.startsWith('0x53594e54'))

/** Whether a row names anything that is made, itself or in its lists. */
export const isMade = (row: unknown): boolean => {
  if (typeof row !== 'object' || row === null) return isMadeText(row)
  return Object.values(row).some((value) => (Array.isArray(value) ? value.some(isMade) : isMadeText(value)))
}
