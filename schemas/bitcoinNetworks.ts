/** What differs between networks of Bitcoin's family, as data, by the hash of their first block: statements get it as parameters. */
import { AppError } from './errors.js'

/** p2pkh, p2sh: version bytes of base58 addresses. hrp: what segwit addresses begin with. halving: blocks after which the subsidy halves. mweb: whether blocks may carry an extension block. */
export interface Network { readonly name: string; readonly p2pkh: number; readonly p2sh: number; readonly hrp: string; readonly halving: number; readonly mweb: boolean }

const testing = { p2pkh: 0x6f, p2sh: 0xc4, hrp: 'tb', halving: 210_000, mweb: false }

/** Litecoin is there because its node, of Bitcoin Core's family, is the one that distributions package: what is tested live is tested on it. */
export const networks: Readonly<Record<string, Network>> = {
  '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f': { name: 'Bitcoin', p2pkh: 0x00, p2sh: 0x05, hrp: 'bc', halving: 210_000, mweb: false },
  '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943': { name: 'Bitcoin testnet3', ...testing },
  '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043': { name: 'Bitcoin testnet4', ...testing },
  '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6': { name: 'Bitcoin signet', ...testing },
  '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206': { name: 'Bitcoin regtest', ...testing, hrp: 'bcrt', halving: 150 },
  '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2': { name: 'Litecoin', p2pkh: 0x30, p2sh: 0x32, hrp: 'ltc', halving: 840_000, mweb: true },
  '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9': { name: 'Litecoin regtest', p2pkh: 0x6f, p2sh: 0x3a, hrp: 'rltc', halving: 150, mweb: true },
}

/** The network whose block 0 has the hash `genesis`; an error that lists the known ones. */
export const networkOf = (genesis: string): Network => {
  const network = networks[genesis]
  if (network === undefined) throw new AppError('BAD_ENVIRONMENT', `BTC_GENESIS: no network begins with ${genesis} (known: ${Object.entries(networks).map(([hash, { name }]) => `${name} ${hash}`).join(', ')})`)
  return network
}
