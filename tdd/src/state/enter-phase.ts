import { type Config, requiresProvenRed } from '../config/config.ts'
import type { Project } from '../project/locate.ts'
import { appendLog } from './log.ts'
import { isProven, type PackageState, type Phase, packageInForce, type State } from './state.ts'
import { updateState } from './store.ts'

export type PhaseChange =
  | { readonly refused: string }
  | { readonly from: Phase; readonly entered: PackageState; readonly state: State }

/** Moves a package to a phase and stores it; a refusal changes nothing. */
export function enterPhase(
  project: Project,
  step: Pick<Step, 'to' | 'package' | 'feature'>,
  config: Config,
  now: Date,
): PhaseChange {
  const at = now.toISOString()
  const demands = { enforced: config.tdd.enforceWorkflow, proofNeeded: requiresProvenRed(config) }
  const outcome: { entrance: PhaseChange } = { entrance: { refused: '' } }
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

interface Step {
  readonly to: Exclude<Phase, 'unknown'>
  readonly package: string
  readonly feature: string
  readonly at: string
  /** Whether the order of phases is enforced; see `tdd.enforceWorkflow`. */
  readonly enforced: boolean
  /** Whether GREEN requires a test that failed before; see `tdd.requireProvenRed`. */
  readonly proofNeeded: boolean
}

type Transition =
  | { readonly refused: string }
  | { readonly state: State; readonly from: Phase; readonly entered: PackageState }

/**
 * Moves a package to another phase.
 *
 * | from     | command     | to       | also                                           |
 * |----------|-------------|----------|------------------------------------------------|
 * | any      | /tdd-red    | RED      | a new cycle, unless it is the same RED again    |
 * | RED      | /tdd-green  | GREEN    | the proof of RED stays; refused without one where it is required |
 * | GREEN    | /tdd-refactor | REFACTOR | the proof of RED and GREEN stays             |
 * | another  | /tdd-green, /tdd-refactor | refused, unless the order is not enforced |  |
 */
export function transition(
  state: State,
  { to, package: name, feature, at, enforced, proofNeeded }: Step,
): Transition {
  const before = packageInForce(state, name)?.state
  const from = before?.phase ?? 'unknown'
  const needed = to === 'GREEN' ? 'RED' : to === 'REFACTOR' ? 'GREEN' : undefined
  if (enforced && needed !== undefined && from !== needed) return { refused: refusal(to, from, needed) }
  if (to === 'GREEN' && proofNeeded && (before === undefined || !isProven(before)))
    return { refused: unprovenRefusal }
  const sameFeature = feature === '' || feature === before?.feature
  const sameCycle = to !== 'RED' || (from === 'RED' && sameFeature)
  const entered: PackageState = {
    ...(sameCycle ? before : {}),
    phase: to,
    feature: feature === '' ? (before?.feature ?? '') : feature,
    since: at,
  }
  return { state: { ...state, packages: { ...state.packages, [name]: entered } }, from, entered }
}

const unprovenRefusal =
  '/tdd-green refused: no run in RED showed a failing test. Next: `tutti-tdd run` until a test fails, then /tdd-green. (tdd.requireProvenRed in tdd.config.yaml asks for it, and strict turns it on.)'

function refusal(to: Phase, from: Phase, needed: Phase): string {
  const command = `/tdd-${to.toLowerCase()}`
  if (from === to) return `${command} refused: the phase is ${to} already.`
  const now = from === 'unknown' ? 'no phase was entered yet' : `the phase is ${from}`
  return `${command} refused: ${now}, and ${to} follows ${needed}. Next: /tdd-${needed.toLowerCase()} <feature>.`
}
