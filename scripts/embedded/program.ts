/** Programs of the system: those on PATH, else installed from its packages. */
import { spawnSync } from 'node:child_process'
import { AppError } from '../../schemas/errors.js'

/** What is looked for: names it goes by, the package that brings it, and what an error says about doing without. `argument` makes it end at once and well. */
export interface Wanted { readonly title: string; readonly names: readonly string[]; readonly package: string; readonly argument: string; readonly code: string; readonly otherwise: string }

const find = ({ names, argument }: Wanted): string | undefined => names.find((name) => spawnSync(name, [argument]).status === 0)

/** The program's name; installs its package where it is missing; an error that says what to do where neither works. */
export const program = (wanted: Wanted): string => {
  const present = find(wanted)
  if (present !== undefined) return present
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const commands = [['apt-get', 'update', '-q'], ['apt-get', 'install', '-y', '-q', '--no-install-recommends', wanted.package]]
  for (const command of commands) {
    const [name = '', ...rest] = [...sudo, ...command]
    const done = spawnSync(name, rest, { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } })
    if (done.status !== 0) {
      throw new AppError(wanted.code, `${wanted.title} cannot be had: ${wanted.names.length > 1 ? `neither ${wanted.names.join(' nor ')} is` : `${wanted.names.join('')} is not`} on PATH, and '${[...sudo, ...command].join(' ')}' failed (${(done.stderr || String(done.error ?? '')).trim().split('\n').at(-1) ?? ''}).\n${wanted.otherwise}`)
    }
  }
  const installed = find(wanted)
  if (installed === undefined) throw new AppError(wanted.code, `The package ${wanted.package} was installed but its program is not on PATH. ${wanted.otherwise}`)
  return installed
}
