import { readFileSync, rmSync, statSync } from 'node:fs'
import type { Project } from '../project/locate.ts'
import { writeFileAtomically } from '../state/atomic-file.ts'
import { emptyState, type PackageState, parseState, type State } from '../state/state.ts'
import { stateFile } from '../state/state-files.ts'
import { withStateLock } from '../state/store.ts'
import type { Change } from './snapshot.ts'

/*
 * The state is the one protected file that commands of an assistant may change, through `tutti-tdd` alone:
 *
 * | change during a command                   | after it                                       |
 * |-------------------------------------------|------------------------------------------------|
 * | a phase or evidence, by `tutti-tdd`       | stays                                          |
 * | the rules suspended                       | enforced again                                 |
 * | the session ended                         | the session and its phases are back, evidence stays |
 * | the file edited or deleted                | the last state that `tutti-tdd` wrote          |
 */

const path = '.tdd/state.json'

/** Where the last state that this tool wrote is kept while a command is open. */
export const keptStateName = 'state.json'

/** Keeps the state of the moment in which a command begins. */
export function beginKeeping(project: Project, folder: string): string | undefined {
  return withStateLock(project, () => {
    const text = textOf(stateFile(project))
    if (text === undefined) rmSync(`${folder}/${keptStateName}`, { force: true })
    else writeFileAtomically(`${folder}/${keptStateName}`, text, 0o600)
    return text
  })
}

export interface RestoredState {
  readonly changes: readonly {
    readonly path: string
    readonly change: Change | 'rules suspended' | 'session ended'
  }[]
}

interface StateBefore {
  /** The text of the state when the command began. */
  readonly before: string | undefined
  /** The folder with the state this tool wrote last; undefined when it wrote later ones without keeping them. */
  readonly folder: string | undefined
}

/** Undoes what a command did to the state. */
export function restoreState(project: Project, { before, folder }: StateBefore): RestoredState['changes'] {
  const file = stateFile(project)
  if (textOf(file) === before && (folder === undefined || textOf(`${folder}/${keptStateName}`) === before))
    return []
  return withStateLock(project, () => {
    const current = textOf(file)
    const legitimate =
      folder === undefined ? (current ?? before) : (usable(textOf(`${folder}/${keptStateName}`)) ?? before)
    const edited: RestoredState['changes'] =
      current === legitimate ? [] : [{ path, change: current === undefined ? 'deleted' : 'changed' }]
    if (legitimate === undefined) {
      if (current !== undefined) rmSync(file, { recursive: true, force: true })
      return edited
    }
    const { enforced, lifted } = enforceAgain(
      before === undefined ? emptyState : parseState(before),
      parseState(legitimate),
    )
    const changes = [...edited, ...lifted.map((change) => ({ path, change }))]
    if (changes.length === 0) return []
    const text =
      lifted.length === 0
        ? legitimate
        : `${JSON.stringify({ ...enforced, revision: enforced.revision + 1 }, null, 2)}\n`
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(file, { recursive: true })
    writeFileAtomically(file, text)
    if (folder !== undefined) writeFileAtomically(`${folder}/${keptStateName}`, text, 0o600)
    return changes
  })
}

/** The state with the enforcement it had before a command. */
function enforceAgain(
  before: State,
  now: State,
): { enforced: State; lifted: ('rules suspended' | 'session ended')[] } {
  const suspended = before.suspendedAt === undefined && now.suspendedAt !== undefined
  const ended = before.session !== undefined && now.session === undefined
  if (!suspended && !ended) return { enforced: now, lifted: [] }
  const packages = Object.entries(now.packages).map(([name, entry]): [string, PackageState] => {
    const earlier = Object.hasOwn(before.packages, name) ? before.packages[name] : undefined
    if (!ended || entry.phase !== 'unknown' || earlier === undefined) return [name, entry]
    const { phase, feature, since } = earlier
    return [name, { ...entry, phase, feature, since }]
  })
  return {
    enforced: {
      ...now,
      suspendedAt: suspended ? undefined : now.suspendedAt,
      session: now.session ?? before.session,
      packages: Object.fromEntries(packages),
    },
    lifted: [
      ...(suspended ? (['rules suspended'] as const) : []),
      ...(ended ? (['session ended'] as const) : []),
    ],
  }
}

/** The text of a state; undefined for anything else. */
function usable(text: string | undefined): string | undefined {
  try {
    if (text !== undefined) parseState(text)
    return text
  } catch {
    return undefined
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
