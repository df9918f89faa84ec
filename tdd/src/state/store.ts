import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Project } from '../project/locate.ts'
import { parentOf } from '../project/paths.ts'
import { hasOpenCommand, protectionFolder } from '../protect/user-folder.ts'
import { writeFileAtomically } from './atomic-file.ts'
import { createFolder } from './create-folder.ts'
import { emptyState, parseState, type State, UnusableState } from './state.ts'
import { stateFile } from './state-files.ts'

/** Reads the state of a project; a project without a state file has the empty state. */
export function readState(project: Project): State {
  let text: string
  try {
    text = readFileSync(stateFile(project), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return emptyState
    throw error
  }
  return parseState(text)
}

/** Reads, changes and writes the state under a lock, so that concurrent sessions lose no update. */
export function updateState(project: Project, change: (state: State) => State): State {
  return withStateLock(project, () => {
    const before = readState(project)
    const changed = change(before)
    if (changed === before) return before
    const after = { ...changed, revision: before.revision + 1 }
    const text = `${JSON.stringify(after, null, 2)}\n`
    writeFileAtomically(stateFile(project), text)
    keepForOpenCommand(project, text)
    return after
  })
}

/** Runs `work` while no other process changes the state. */
export function withStateLock<Result>(project: Project, work: () => Result): Result {
  return withLock(`${stateFile(project)}.lock`, work)
}

/** While a command of an assistant is open, a second copy tells a state of this tool from one that the command wrote itself. */
function keepForOpenCommand(project: Project, text: string): void {
  const folder = protectionFolder(project)
  if (folder !== undefined && hasOpenCommand(project))
    writeFileAtomically(`${folder}/state.json`, text, 0o600)
}

/** Renames an unusable state file, so that a new session can start and the old file is kept. */
export function setAsideUnusable(project: Project): string | undefined {
  try {
    readState(project)
    return undefined
  } catch (error) {
    if (!(error instanceof UnusableState)) throw error
    const kept = `${stateFile(project)}.unreadable`
    renameSync(stateFile(project), kept)
    return kept
  }
}

const pauseMs = 5
/** Three seconds. Pauses are counted, so that time in which the machine was suspended does not count. */
const maxPauses = 600
/** A writer has the lock for milliseconds; an older lock was left by a crash. */
const staleAfterMs = 10_000
/** The process id of a writer in another container is unknown here, so even a lock of a dead process is kept for a moment. */
const deadAfterMs = 500

/** Runs `work` while no other process of this project does. A lock left by a crash is taken over. */
export function withLock<Result>(file: string, work: () => Result): Result {
  createFolder(parentOf(file))
  for (let pauses = 0; !take(file); pauses += 1) {
    if (pauses === maxPauses) throw new Error(`${file} is locked by another process; try again`)
    if (!freeIfAbandoned(file)) pause(pauseMs)
  }
  try {
    return work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function freeIfAbandoned(file: string): boolean {
  try {
    const owner = Number(readFileSync(file, 'utf8'))
    const ageMs = Date.now() - statSync(file).mtimeMs
    const limitMs = Number.isInteger(owner) && owner > 0 && !isAlive(owner) ? deadAfterMs : staleAfterMs
    if (ageMs < limitMs) return false
    // Rename first: of several processes that found the lock abandoned, only one removes it.
    const moved = `${file}.${process.pid}.abandoned`
    renameSync(file, moved)
    rmSync(moved, { force: true })
    return true
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function pause(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)
}
