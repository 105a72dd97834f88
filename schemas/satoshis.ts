/** Amounts of Bitcoin in coins and in satoshis, by their decimal digits: a product of floats may miss by one. */

const decimals = 8, coin = 10n ** BigInt(decimals)

/** Satoshis of coins as they are written, 0 or more: 0.5, 1e-05; null where the text is no such number, or holds a part of a satoshi. */
export const satoshisOf = (coins: string): bigint | null => {
  const [, whole = '', part = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(coins) ?? []
  if (whole === '') return null
  const digits = BigInt(whole + part), zeros = decimals - part.length + Number(exponent), scale = 10n ** BigInt(Math.abs(zeros))
  if (zeros >= 0) return digits * scale
  return digits % scale === 0n ? digits / scale : null
}

/** Satoshis of a number of coins, 0 or more, by the shortest digits that mean it; null where it has more than eight decimals. Digits are exact below 2^26 coins, more than there will ever be. */
export const satoshisIn = (coins: number): bigint | null => satoshisOf(String(coins))

/** Satoshis as coins with eight decimals. */
export const inCoins = (satoshis: bigint): string => `${satoshis / coin}.${String(satoshis % coin).padStart(decimals, '0')}`
