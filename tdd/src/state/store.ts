import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Project } from '../places/locate.ts'
import { parentOf } from '../places/paths.ts'
import { writeFileAtomically } from './atomic-file.ts'
import { createFolder } from './create-folder.ts'
import { stateFile } from './places.ts'
import { emptyState, parseState, type State, UnusableState } from './state.ts'

/** Reads what is known about a project; a project that nobody started has an empty state. */
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

/** Changes the state while no other session can: reads, lets `change` decide, writes it whole. */
export function updateState(project: Project, change: (state: State) => State): State {
  return withLock(`${stateFile(project)}.lock`, () => {
    const before = readState(project)
    const changed = change(before)
    if (changed === before) return before
    const after = { ...changed, revision: before.revision + 1 }
    writeFileAtomically(stateFile(project), `${JSON.stringify(after, null, 2)}\n`)
    return after
  })
}

/** Puts a state that cannot be read aside, so that work can begin anew and nothing is lost. */
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

const patienceMs = 3000
const pauseMs = 5
/** A writer holds the lock for milliseconds; one this old was left by a crash. */
const staleAfterMs = 10_000
/** A writer in another container looks dead from here, so even a dead one gets a moment. */
const deadAfterMs = 500

/** Runs `work` while no other process of this project does. A lock left by a crash is taken over. */
function withLock<Result>(file: string, work: () => Result): Result {
  createFolder(parentOf(file))
  const deadline = Date.now() + patienceMs
  while (!take(file)) {
    if (Date.now() > deadline) throw new Error(`${file} is held by another process; try again`)
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
    const patient = Number.isInteger(owner) && owner > 0 && !isAlive(owner) ? deadAfterMs : staleAfterMs
    if (ageMs < patient) return false
    // Renaming first: of several that found it abandoned, one alone removes this very lock.
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
