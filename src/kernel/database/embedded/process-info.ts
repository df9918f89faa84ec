import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process as the operating system reports it. */
export interface ProcessInfo {
  /** Distinguishes processes that had the same process id one after the other. */
  readonly startTime: string
  /** Ended, but not yet reaped by its parent. */
  readonly zombie: boolean
  /** The program and its arguments, separated by spaces. Empty where the system hides them. */
  readonly command: string
}

/** Undefined when there is no such process. */
export function readProcess(pid: number): ProcessInfo | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid)
}

/** False for a zombie. */
export function isRunning(pid: number): boolean {
  const info = readProcess(pid)
  return info !== undefined && !info.zombie
}

function readFromProc(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets and may contain any character; the fields after it are plain.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { startTime: fields[19] ?? '', zombie: fields[0] === 'Z' || fields[0] === 'X', command }
  } catch {
    return undefined
  }
}

function readFromPs(pid: number): ProcessInfo | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    const match = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s*(.*)$/.exec(line)
    if (!match) return undefined
    return { startTime: match[2] ?? '', zombie: match[1]?.startsWith('Z') ?? false, command: match[3] ?? '' }
  } catch {
    return undefined
  }
}
