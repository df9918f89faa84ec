import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Layout, socketLockPath } from './layout.ts'
import { readProcess } from './process-info.ts'

/** The content of PostgreSQL's `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number
  readonly socketDir: string | undefined
}

/** Undefined when no server runs, or the server has not written the file yet. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  return readLockFile(join(cluster, 'postmaster.pid'))
}

/** Reads `postmaster.pid` or the lock file of the socket, which has the same format. */
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
 * Removes the files of a server that has ended; PostgreSQL trusts them as long as any process has the process id they contain. Each file
 * is read again just before, because another process may have started a server and written new files meanwhile.
 */
export function removeStaleFiles({ cluster, socketDir }: Layout, pid: number): void {
  for (const path of [join(cluster, 'postmaster.pid'), socketLockPath(socketDir)]) {
    if (readLockFile(path)?.pid === pid) rmSync(path, { force: true })
  }
}

/**
 * The process that has the process id of `postmaster.pid` now. `dead`: none, and PostgreSQL removes the file itself. `zombie`: a server
 * that its parent has not reaped yet. `other`: an unrelated process.
 */
export function postmasterStatus(pid: number, cluster: string): 'running' | 'zombie' | 'dead' | 'other' {
  const info = readProcess(pid)
  if (info === undefined) return 'dead'
  if (info.zombie) return 'zombie'
  return info.command.includes(cluster) ? 'running' : 'other'
}
