/** Amounts of Bitcoin in coins and in satoshis, by their decimal digits: a product of floats may miss by one. */

const decimals = 8, coin = 10n ** BigInt(decimals)

/** Satoshis of a number of coins, 0 or more, by the shortest digits that mean it; null where it has more than eight decimals. Digits are exact below 2^26 coins, more than there will ever be. */
export const satoshisIn = (coins: number): bigint | null => {
  const [, whole = '', part = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(coins)) ?? []
  const zeros = decimals - part.length + Number(exponent)
  return whole === '' || zeros < 0 ? null : BigInt(whole + part) * 10n ** BigInt(zeros)
}

/** Satoshis as coins with eight decimals. */
export const inCoins = (satoshis: bigint): string => `${satoshis / coin}.${String(satoshis % coin).padStart(decimals, '0')}`
