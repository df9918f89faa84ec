import { type Config, requiresProvenRed } from '../config/config.ts'
import type { Project } from '../places/locate.ts'
import { appendLog } from './log.ts'
import { isProven, type PackageState, type Phase, type State } from './state.ts'
import { updateState } from './store.ts'
import { type Step, transition } from './transition.ts'

export type Entrance =
  | { readonly refused: string }
  | { readonly from: Phase; readonly entered: PackageState; readonly state: State }

/** Moves a package to a phase and keeps it; what is refused changes nothing. */
export function enterPhase(
  project: Project,
  step: Pick<Step, 'to' | 'package' | 'feature'>,
  config: Config,
  now: Date,
): Entrance {
  const at = now.toISOString()
  const demands = { enforced: config.tdd.enforceWorkflow, proofNeeded: requiresProvenRed(config) }
  const outcome: { entrance: Entrance } = { entrance: { refused: '' } }
  updateState(project, (state) => {
    const moved = transition(state, { ...step, ...demands, at })
    if ('refused' in moved) {
      outcome.entrance = moved
      return state
    }
    const { from, entered } = moved
    outcome.entrance = { from, entered, state: moved.state }
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
