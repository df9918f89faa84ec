import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Layout, socketLockPath } from './layout.ts'
import { readProcess } from './process-facts.ts'

/** What PostgreSQL writes about itself into `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number
  readonly socketDir: string | undefined
}

/** Undefined when no server runs, or none has written its file yet. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  return readLockFile(join(cluster, 'postmaster.pid'))
}

/** The socket's lock file is written in the same way. */
function readLockFile(path: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    const pid = Number(lines[0])
    return Number.isSafeInteger(pid) && pid > 0
      ? { pid, socketDir: lines[4]?.trim() || undefined }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Removes the files of a server that is gone, which PostgreSQL believes as long as any process has the number they
 * name. Read again right before: another process may have started a server meanwhile, and these are then its files.
 */
export function removeStaleFiles({ cluster, socketDir }: Layout, pid: number): void {
  for (const path of [join(cluster, 'postmaster.pid'), socketLockPath(socketDir)]) {
    if (readLockFile(path)?.pid === pid) rmSync(path, { force: true })
  }
}

/**
 * Who the number in `postmaster.pid` belongs to today. `dead`: nobody, PostgreSQL clears the file itself. `zombie`: a
 * server waiting to be collected. `other`: an unrelated process was given the number.
 */
export function postmasterStatus(pid: number, cluster: string): 'running' | 'zombie' | 'dead' | 'other' {
  const facts = readProcess(pid)
  if (facts === undefined) return 'dead'
  if (facts.zombie) return 'zombie'
  return facts.command.includes(cluster) ? 'running' : 'other'
}
