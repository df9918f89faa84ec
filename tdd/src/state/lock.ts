import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { parentOf } from '../places/paths.ts'
import { createFolder } from './create-folder.ts'

const patienceMs = 3000
const pauseMs = 5
/** A writer holds the lock for milliseconds; one this old was left by a crash. */
const staleAfterMs = 10_000
/** A writer in another container looks dead from here, so even a dead one gets a moment. */
const deadAfterMs = 500

/** Runs `work` while no other process of this project does. A lock left by a crash is taken over. */
export function withLock<Result>(file: string, work: () => Result): Result {
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
