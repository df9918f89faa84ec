import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { FileClass } from '../classify/file-class.ts'
import { type Project, stateFolder } from '../project/locate.ts'
import { parentOf } from '../project/paths.ts'
import { createFolder } from './create-folder.ts'
import type { Phase } from './state.ts'
import { logFile } from './state-files.ts'

/** The events the tool observed, in order. Scores and team metrics are computed from this log only. */
export type LogEntry = { readonly at: string; readonly package: string } & (
  | {
      readonly kind: 'edit'
      readonly agent: string
      readonly phase: Phase
      readonly class: FileClass | 'state'
      readonly path: string
      readonly outcome: 'allowed' | 'warned' | 'blocked'
    }
  | {
      readonly kind: 'phase'
      readonly from: Phase
      readonly to: Phase
      readonly feature: string
      readonly redProven?: boolean
    }
  | {
      readonly kind: 'run'
      readonly phase: Phase
      readonly passed: number
      readonly failed: number
      readonly held?: boolean
    }
)

/** Appends entries; a short append is atomic even when several sessions write. Never throws. */
export function appendLog(project: Project, entries: readonly LogEntry[], now = new Date()): void {
  if (entries.length === 0) return
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  const file = logFile(project, now)
  try {
    appendFileSync(file, text)
  } catch {
    try {
      createFolder(parentOf(file))
      appendFileSync(file, text)
    } catch {
      // The log is not written in a read-only checkout.
    }
  }
}

/** Reads all entries since a time, oldest first. Lines that a crash truncated are ignored. */
export function readLog(project: Project, since: Date): LogEntry[] {
  const folder = `${project.root}/${stateFolder}/log`
  const oldest = `${since.toISOString().slice(0, 7)}.jsonl`
  return listed(folder)
    .filter((name) => name.endsWith('.jsonl') && name >= oldest)
    .sort()
    .flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n'))
    .flatMap(entriesOf)
    .filter((entry) => entry.at >= since.toISOString())
}

/** Removes the months before a time. */
export function forgetLog(project: Project, before: Date): void {
  const folder = `${project.root}/${stateFolder}/log`
  const oldest = `${before.toISOString().slice(0, 7)}.jsonl`
  for (const name of listed(folder)) {
    if (name.endsWith('.jsonl') && name < oldest) rmSync(`${folder}/${name}`, { force: true })
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function entriesOf(line: string): LogEntry[] {
  try {
    const entry = JSON.parse(line) as LogEntry | null
    return typeof entry?.at === 'string' && typeof entry.kind === 'string' ? [entry] : []
  } catch {
    return []
  }
}
