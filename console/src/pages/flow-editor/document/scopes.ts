import type { DraftDefinition, DraftStep, FlowDocument } from './flow-document.ts'
import { isObject, type Json } from './json.ts'

/**
 * The steps of a flow are a tree: a container has steps of its own. A scope is one list of them: that of the flow
 * (null), or that of a container (its ID). Step IDs are unique in the whole flow, so that an ID alone finds a step.
 */
export type Scope = string | null

/** A step with its position in the tree. */
export interface PlacedStep {
  readonly step: DraftStep
  /** The steps of its scope, with itself. */
  readonly beside: readonly DraftStep[]
  readonly index: number
  /** The containers around it, the outermost first. */
  readonly around: readonly DraftStep[]
  /** The path as the server writes it: `steps[3].steps[0]`. */
  readonly path: string
}

/** The steps of a container; none for every other step. A list with an entry that is no step is none. */
export function stepsInside(step: DraftStep): readonly DraftStep[] {
  const steps = step['steps']
  return Array.isArray(steps) && (steps as readonly Json[]).every(isStep) ? (steps as DraftStep[]) : []
}

function isStep(value: Json): value is DraftStep {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['type'] === 'string'
}

const known = new WeakMap<readonly DraftStep[], ReadonlyMap<string, PlacedStep>>()

/** Every step of a flow by its ID, in reading order: a container before its steps. */
export function placedSteps({ steps }: Pick<DraftDefinition, 'steps'>): ReadonlyMap<string, PlacedStep> {
  const before = known.get(steps)
  if (before !== undefined) return before
  const placed = new Map<string, PlacedStep>()
  const walk = (beside: readonly DraftStep[], around: readonly DraftStep[], at: string): void => {
    for (const [index, step] of beside.entries()) {
      const path = `${at}steps[${index}]`
      placed.set(step.id, { step, beside, index, around, path })
      const inside = stepsInside(step)
      if (inside.length > 0) walk(inside, [...around, step], `${path}.`)
    }
  }
  walk(steps, [], '')
  known.set(steps, placed)
  return placed
}

/** All steps of the tree, a container before its steps. */
export function allSteps(steps: readonly DraftStep[]): readonly DraftStep[] {
  return steps.flatMap((step) => [step, ...allSteps(stepsInside(step))])
}

export function placeOfStep({ definition }: FlowDocument, id: string): PlacedStep | undefined {
  return placedSteps(definition).get(id)
}

/** The scope that a step is in. */
export function scopeOf(document: FlowDocument, id: string): Scope {
  return placeOfStep(document, id)?.around.at(-1)?.id ?? null
}

/** The steps of a scope. */
export function stepsOf({ definition }: FlowDocument, scope: Scope): readonly DraftStep[] {
  if (scope === null) return definition.steps
  const container = placedSteps(definition).get(scope)?.step
  return container === undefined ? [] : stepsInside(container)
}

/** The innermost step of a path such as `steps[3].steps[0].prompt`, and the path inside the step. */
export function stepAtPath(
  { definition }: FlowDocument,
  path: string,
): { readonly step: DraftStep; readonly rest: string } | undefined {
  let found: { step: DraftStep; rest: string } | undefined
  let beside = definition.steps
  let rest = path
  for (;;) {
    const [start, index] = /^steps\[(\d+)\]\.?/.exec(rest) ?? []
    const step = start === undefined ? undefined : beside[Number(index)]
    if (start === undefined || step === undefined) return found
    rest = rest.slice(start.length)
    found = { step, rest }
    beside = stepsInside(step)
  }
}

/** The tree with every step changed, those inside of a container before it. Unchanged lists stay identical. */
export function mapSteps(
  steps: readonly DraftStep[],
  change: (step: DraftStep) => DraftStep,
): readonly DraftStep[] {
  let isChanged = false
  const changed = steps.map((step) => {
    const inside = stepsInside(step)
    const mapped = inside.length === 0 ? inside : mapSteps(inside, change)
    const now = change(mapped === inside ? step : { ...step, steps: mapped })
    isChanged ||= now !== step
    return now
  })
  return isChanged ? changed : steps
}

/** The flow with other steps in a scope. */
export function withStepsOf(
  document: FlowDocument,
  scope: Scope,
  change: (steps: readonly DraftStep[]) => readonly DraftStep[],
): FlowDocument {
  const { definition } = document
  const steps =
    scope === null
      ? change(definition.steps)
      : mapSteps(definition.steps, (step) => {
          if (step.id !== scope) return step
          const inside = stepsInside(step)
          const changed = change(inside)
          return changed === inside ? step : { ...step, steps: changed }
        })
  return steps === definition.steps ? document : { ...document, definition: { ...definition, steps } }
}

/** The innermost scope that has every difference between two versions; undefined where their steps are the same. */
export function scopeOfChange(before: FlowDocument, after: FlowDocument): Scope | undefined {
  const find = (left: readonly DraftStep[], right: readonly DraftStep[], scope: Scope): Scope | undefined => {
    if (left === right) return undefined
    if (left.length !== right.length) return scope
    const differing = left.flatMap((step, index) => {
      const other = right[index]
      return other === undefined || step === other ? [] : [[step, other] as const]
    })
    const [pair, ...others] = differing
    if (pair === undefined) return undefined
    const [one, other] = pair
    const isInside =
      others.length === 0 &&
      one.id === other.id &&
      Object.keys({ ...one, ...other }).every((key) => key === 'steps' || one[key] === other[key])
    return isInside ? find(stepsInside(one), stepsInside(other), one.id) : scope
  }
  return find(before.definition.steps, after.definition.steps, null)
}
