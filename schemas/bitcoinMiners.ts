/**
 * Texts by which miners sign their coinbases. Each names its pool in so many words, or stands in a recorded block (test/fixtures/bitcoin):
 * this register says what a miner says of itself, which anyone can write. The first tag found counts.
 */
const register: readonly (readonly [tag: string, miner: string])[] = [
  ['Mined by BTC Guild', 'BTC Guild'],
  ['/slush/', 'Slush Pool'],
  ['/Braiins Pool/', 'Braiins Pool'],
  ['/AntPool/', 'AntPool'],
  ['Mined by AntPool', 'AntPool'],
  ['/F2Pool/', 'F2Pool'],
  ['/ViaBTC/', 'ViaBTC'],
  ['/BTC.COM/', 'BTC.com'],
  ['/BTC.TOP/', 'BTC.TOP'],
  ['/poolin.com', 'Poolin'],
  ['/Huobi/', 'Huobi Pool'],
  ['Foundry USA Pool', 'Foundry USA'],
  ['MARA Pool', 'MARA Pool'],
  ['/LUXOR/', 'Luxor'],
  ['SBICrypto.com Pool', 'SBI Crypto'],
  ['/BitFury/', 'BitFury'],
  ['/Bitfury/', 'BitFury'],
  ['/BTCC/', 'BTCC'],
  ['/BW Pool/', 'BW Pool'],
  ['/SpiderPool/', 'SpiderPool'],
  ['ckpool', 'CKPool'],
  ['/NiceHash', 'NiceHash'],
  ['OCEAN.XYZ', 'OCEAN'],
  ['Rawpool.com', 'Rawpool'],
  ['lubian.com', 'Lubian'],
  ['NovaBlock', 'NovaBlock'],
  ['Minerium.com', 'Minerium'],
  ['Sigmapool.com', 'Sigmapool'],
  ['KuCoinPool', 'KuCoin Pool'],
  ['1THash', '1THash'],
  ['BitMinter', 'BitMinter'],
  ['EclipseMC', 'EclipseMC'],
  ['KnCMiner', 'KnCMiner'],
  ['ghash.io', 'GHash.IO'],
  ['Eligius', 'Eligius'],
  ['ozcoin', 'OzCoin'],
  ['50BTC.com', '50BTC'],
  ['MegaBigPower', 'MegaBigPower'],
]

/** Side by side, as statements get them. */
export const minerTags = { tags: register.map(([tag]) => tag), miners: register.map(([, miner]) => miner) }
