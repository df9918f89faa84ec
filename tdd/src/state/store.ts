import { readFileSync, renameSync } from 'node:fs'
import type { Project } from '../places/locate.ts'
import { writeFileAtomically } from './atomic-file.ts'
import { withLock } from './lock.ts'
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
