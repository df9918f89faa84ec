import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import { checkNames, findCircle } from './check-graph.ts'
import { checkReferences } from './check-references.ts'
import { checkSteps } from './check-steps.ts'
import { findUnreachable } from './find-unreachable.ts'
import { type FlowDefinition, FlowFrame } from './flow.ts'
import { checkStepShape } from './step-shape.ts'
import type { Step } from './step-types.ts'

export interface CheckedFlow {
  /** Undefined while there are problems. */
  readonly definition: FlowDefinition | undefined
  readonly problems: readonly Problem[]
  /** What will work, but perhaps not as meant. */
  readonly warnings: readonly Problem[]
  /** Paths that the context of an execution must have. */
  readonly requiredInputs: readonly string[]
}

const checkFrame = createValueCheck(FlowFrame)

const mostProblems = 50

/**
 * Checks a whole flow. A step that is half made does not hide what is wrong with the others; only what needs all of them, such as a circle,
 * is looked for when each is sound by itself.
 */
export function checkFlow(given: unknown): CheckedFlow {
  const frame = checkFrame(given)
  const steps = stepsIn(given, frame)
  const shapes = steps.map((step, index) => checkStepShape(step, `steps[${index}]`))
  const sound = steps.map((step, index) => (shapes[index]?.length === 0 ? (step as Step) : undefined))
  const apart = [...frame, ...shapes.flat(), ...checkSteps(sound), ...checkNames(sound, steps.map(idOf))]
  if (apart.length > 0) return refused(apart)
  const definition = given as FlowDefinition
  const circle = findCircle(definition.steps)
  if (circle.length > 0) return refused(circle)
  const { problems, warnings, requiredInputs } = checkReferences(definition)
  if (problems.length > 0) return refused(problems)
  return { definition, problems: [], warnings: [...findUnreachable(definition), ...warnings], requiredInputs }
}

/** Told once, although the frame and a step may both find it. */
function refused(problems: readonly Problem[]): CheckedFlow {
  const told = new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem]))
  return {
    definition: undefined,
    problems: [...told.values()].slice(0, mostProblems),
    warnings: [],
    requiredInputs: [],
  }
}

/** The steps as far as there are any; none where the flow as a whole, or their list, is not what it should be. */
function stepsIn(given: unknown, frame: readonly Problem[]): readonly unknown[] {
  return frame.some(({ path }) => path === '' || path === 'steps')
    ? []
    : (given as { readonly steps: readonly unknown[] }).steps
}

function idOf(step: unknown): string | undefined {
  const { id } = (typeof step === 'object' && step !== null ? step : {}) as { readonly id?: unknown }
  return typeof id === 'string' ? id : undefined
}
