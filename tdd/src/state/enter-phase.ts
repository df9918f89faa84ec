import { type Project, stateFolder } from '../places/locate.ts'
import { hideFromGit } from './create-folder.ts'
import { appendLog, forgetLog } from './log.ts'
import type { PackageState, Phase } from './state.ts'
import { setAsideUnusable, updateState } from './store.ts'
import { type Step, transition } from './transition.ts'

export type Entrance =
  | { readonly refused: string }
  | { readonly from: Phase; readonly entered: PackageState; readonly sessionStarted: boolean }

/** Moves a package to a phase and keeps it; what is refused changes nothing. */
export function enterPhase(project: Project, step: Omit<Step, 'at'>, now: Date): Entrance {
  const at = now.toISOString()
  const outcome: { entrance: Entrance } = { entrance: { refused: '' } }
  updateState(project, (state) => {
    const moved = transition(state, { ...step, at })
    if ('refused' in moved) {
      outcome.entrance = moved
      return state
    }
    const { from, entered } = moved
    outcome.entrance = { from, entered, sessionStarted: state.session !== undefined }
    return moved.state
  })
  const { entrance } = outcome
  if ('entered' in entrance) {
    const { from, entered } = entrance
    const { to, package: name } = step
    const redProven = isProven(entered)
    appendLog(
      project,
      [{ at, kind: 'phase', package: name, from, to, feature: entered.feature, redProven }],
      now,
    )
  }
  return entrance
}

/** Whether a run in RED saw a test fail. */
export function isProven({ red }: Pick<PackageState, 'red'>): boolean {
  return red !== undefined && (red.failing.length > 0 || red.failedSuites.length > 0)
}

const rememberedMs = 365 * 24 * 60 * 60 * 1000

/** Begins a session: from here on the rules are kept strictly unless the team chose otherwise. Phases stay. */
export function startSession(project: Project, now: Date): { readonly setAside: string | undefined } {
  const setAside = setAsideUnusable(project)
  forgetLog(project, new Date(now.getTime() - rememberedMs))
  updateState(project, (state) => ({ ...state, session: { startedAt: now.toISOString() } }))
  hideFromGit(`${project.root}/${stateFolder}`)
  return { setAside }
}
