import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import { checkGraph } from './check-graph.ts'
import { checkReferences } from './check-references.ts'
import { checkSteps } from './check-steps.ts'
import { findUnreachable } from './find-unreachable.ts'
import { type FlowDefinition, FlowFrame } from './flow.ts'
import { type Step, type StepType, stepSchemas, stepTypes } from './step-types.ts'

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
const stepChecks = Object.fromEntries(
  Object.entries(stepSchemas).map(([type, schema]) => [type, createValueCheck(schema)]),
) as Record<StepType, ReturnType<typeof createValueCheck>>

const mostProblems = 50

/** Checks a whole flow: its fields first, then what only several of them together can get wrong. */
export function checkFlow(given: unknown): CheckedFlow {
  const shape = checkShape(given)
  if (shape.length > 0) return refused(shape)
  const definition = given as FlowDefinition
  const unsound = [...checkSteps(definition.steps), ...checkGraph(definition.steps)]
  if (unsound.length > 0) return refused(unsound)
  const { problems, warnings, requiredInputs } = checkReferences(definition)
  if (problems.length > 0) return refused(problems)
  return { definition, problems: [], warnings: [...findUnreachable(definition), ...warnings], requiredInputs }
}

function refused(problems: readonly Problem[]): CheckedFlow {
  return {
    definition: undefined,
    problems: problems.slice(0, mostProblems),
    warnings: [],
    requiredInputs: [],
  }
}

function checkShape(given: unknown): Problem[] {
  const frame = checkFrame(given)
  if (frame.length > 0) return [...frame]
  return (given as { steps: unknown[] }).steps.flatMap((step, index) =>
    checkStepShape(step, `steps[${index}]`),
  )
}

function checkStepShape(step: unknown, place: string): Problem[] {
  const type = typeof step === 'object' && step !== null ? (step as Partial<Step>).type : undefined
  if (type === undefined) return [{ path: `${place}.type`, message: 'is required', code: 'required' }]
  if (!stepTypes.includes(type)) {
    return [{ path: `${place}.type`, message: `must be one of ${stepTypes.join(', ')}`, code: 'choice' }]
  }
  return stepChecks[type](step).map((problem) => ({
    ...problem,
    path: problem.path === '' ? place : `${place}.${problem.path}`,
  }))
}
