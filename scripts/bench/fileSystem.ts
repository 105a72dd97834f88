/** What the stores of a bench stand on. */
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/**
 * File system of a directory, in words. ext4 without a journal is named: for minutes after files were deleted it looks through their inodes whenever
 * one is made, so that a small insert into ClickHouse, which is some dozen files, costs several times as much.
 */
export const fileSystemOf = (directory: string): string => {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n').map((line) => line.split(' '))
  const holds = ([, at = '']: readonly string[]): boolean => directory === at || directory.startsWith(at.endsWith('/') ? at : `${at}/`)
  const [device = '', , kind = 'an unknown file system'] = mounts.filter(holds).sort((one, other) => (other[1] ?? '').length - (one[1] ?? '').length)[0] ?? []
  return kind === 'ext4' ? `ext4 ${existsSync(`/proc/fs/jbd2/${basename(device)}-8`) ? 'with' : 'without'} a journal` : kind
}
