/**
 * Keys from the command line: makes one of a tier (`npm run key -- --tier pro --name acme`), moves one that is there to another tier
 * (`--id AbCd1234 --tier pro`: the customer keeps the key), ends one (`--id AbCd1234 --revoke`), lists the account of one (`--id AbCd1234`).
 */
import { openKeys, type KeyRecord, type Keys } from '../api/keys.js'
import { adminScopes, keyLifetimeDays, tierNamed, tierOf, type Tier } from '../api/tiers.js'
import { openStore } from '../schemas/clickhouse.js'
import { command, parseOptions, wholeOption } from '../schemas/command.js'
import { parseConfig } from '../schemas/config.js'
import { AppError } from '../schemas/errors.js'

/** A hundred years: what an operator means by for ever. */
const mostDays = 36_500
const usage = 'npm run key -- --tier free|pro|compliance|enterprise [--name NAME] [--role agent|operator|admin] [--days N]   or   --id KEY_ID [--tier TIER | --revoke]'
const roles = ['agent', 'operator', 'admin'] as const
const say = (line: string): void => { process.stdout.write(`${line}\n`) }

const rights = (tier: Tier, role: (typeof roles)[number]) =>
  ({ tier: tier.id, role, rate_limit: tier.perMinute, daily_cap: tier.daily ?? 0, scopes: role === 'agent' ? [...tier.scopes] : [...adminScopes].filter((scope) => role === 'admin' || scope !== 'admin') })

const line = (key: KeyRecord): string =>
  `${key.public_id}  ${key.tier}  ${key.role}  ${key.revoked_at === null ? `until ${key.expires_at.slice(0, 10)}` : `revoked ${key.revoked_at.slice(0, 10)}`}  ${key.name}`

/** Does what is asked about the key `id`; resolves to the word for it. */
const about = async (keys: Keys, id: string, tier: Tier | undefined, revoke: boolean): Promise<string> => {
  const record = await keys.find(id)
  if (record === null) throw new AppError('BAD_ARGUMENT', `--id: no key ${id}`)
  if (revoke) { say(line(await keys.revoke(record))); return 'revoke_key' }
  if (tier === undefined) { for (const key of await keys.list(record, { limit: 1_000, whole: true })) say(line(key)); return '' }
  if (record.revoked_at !== null) throw new AppError('BAD_ARGUMENT', `--id: the key ${id} is revoked`)
  const { role: _, ...given } = rights(tier, record.role)
  say(line(await keys.change(record, { ...given, account: record.account === '' && tier.id !== 'free' ? record.public_id : record.account })))
  const others = (await keys.list(record, { limit: 1_000, live: true, whole: true })).filter((key) => key.public_id !== id && key.tier !== tier.id)
  if (others.length > 0) say(`Of its account, ${others.length === 1 ? 'one key has' : `${others.length} keys have`} another tier and ${others.length === 1 ? 'keeps' : 'keep'} it: --id ${id} lists them`)
  return 'change_tier'
}

await command(async () => {
  const { values } = parseOptions(usage, {
    tier: { type: 'string' }, name: { type: 'string' }, role: { type: 'string' }, days: { type: 'string' },
    id: { type: 'string' }, revoke: { type: 'boolean', default: false },
  })
  const named = values.tier === undefined ? undefined : tierNamed(values.tier)
  if (values.tier !== undefined && named === undefined) throw new AppError('BAD_ARGUMENT', `--tier: '${values.tier}' is not a tier\nusage: ${usage}`)
  if (values.id !== undefined) {
    const beside = (['name', 'role', 'days'] as const).find((option) => values[option] !== undefined)
    if (beside !== undefined) throw new AppError('BAD_ARGUMENT', `--${beside} is of a new key: what it is of --id stays\nusage: ${usage}`)
    if (values.tier !== undefined && values.revoke) throw new AppError('BAD_ARGUMENT', `--tier or --revoke: a key is moved or ended\nusage: ${usage}`)
  }
  const { name = 'operator', days: lifetime = String(keyLifetimeDays) } = values
  const role = roles.find((one) => one === (values.role ?? 'agent'))
  if (role === undefined) throw new AppError('BAD_ARGUMENT', `--role: '${values.role}' is not a role\nusage: ${usage}`)
  if (values.id === undefined && (named === undefined || values.revoke)) throw new AppError('BAD_ARGUMENT', `${values.revoke ? '--id' : '--tier'} is missing\nusage: ${usage}`)
  const days = wholeOption('days', lifetime, 1)
  if (days > mostDays) throw new AppError('BAD_ARGUMENT', `--days: at most ${mostDays}, not '${lifetime}'`)
  const config = parseConfig(process.env)
  if (config.CLICKHOUSE_URL === undefined) throw new AppError('BAD_ENVIRONMENT', 'CLICKHOUSE_URL is not set: npm run up prints that of its embedded server.')
  const tier = named === undefined ? undefined : tierOf(config, named)
  const store = openStore(config.CLICKHOUSE_URL, config.CLICKHOUSE_DATABASE)
  const keys = openKeys(store, store)
  let [action, subject] = ['issue_key', values.id ?? '']
  if (values.id !== undefined) action = await about(keys, values.id, tier, values.revoke)
  else if (tier !== undefined) {
    const { key, record } = await keys.issue({ ...rights(tier, role), name, source_ip: '', days })
    say(line(record))
    say(`Key  ${key}   (shown this once)`)
    subject = record.public_id
  }
  if (action !== '') {
    const detail = JSON.stringify({ tier: values.tier, role: values.id === undefined ? role : undefined, name: values.id === undefined ? name : undefined })
    await store.insert('audit', [{ at: new Date().toISOString(), actor: 'command line', role: 'operator', action, subject, detail, request_id: '', outcome: 'ok' }])
  }
  return 0
})
