import { idOfPath, isContainerRow, openRow } from '../definition/nested-steps.ts'
import { isContainer, isPure, kindOf, type Step } from '../definition/step-types.ts'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput } from '../execution/input.ts'
import type { RecordedStep, Recording } from '../steps/replay-steps.ts'
import type { StepOutcome } from '../store/commit.ts'
import type { StoredExecution } from '../store/read-execution.ts'

/** The input of a test. */
export type TestInput = Pick<ExecutionInput, 'context' | 'memory' | 'options'>

/** Finds the steps of outcomes that are given in their order. */
type StepFinder = (outcome: Pick<StepOutcome, 'stepId' | 'item' | 'details'>) => Step | undefined

/**
 * The input of a finished execution, and what its steps with effects answered, by step path. Throws `flow_test_not_recordable` for an
 * execution that has not ended, has a batch, or did not keep its outputs.
 */
export function recordExecution(
  execution: Pick<StoredExecution, 'id' | 'finishedAt' | 'input' | 'outcomes'>,
  stepOf: StepFinder,
): { readonly input: TestInput; readonly recorded: Recording } {
  const { id, finishedAt, input, outcomes } = execution
  const refuse = (message: string) =>
    engineFailure('flow_test_not_recordable', { message, details: { execution_id: id } })
  if (finishedAt === null) throw refuse('The execution has not ended yet, so it cannot be recorded.')
  if (input.batch !== undefined)
    throw refuse('An execution of a batch cannot be recorded. Run one of its items.')
  const wereRemoved = outcomes.some(({ state, output }) => state === 'completed' && output === null)
  if (wereRemoved && input.options.monitoring?.track_intermediate_results === false) {
    throw refuse('The execution did not keep its outputs. Run it with track_intermediate_results.')
  }
  const opened = new Set(outcomes.flatMap(({ stepId }) => containerOfOpening(stepId) ?? []))
  return {
    input: { context: input.context, memory: input.memory, options: input.options },
    recorded: Object.fromEntries(
      outcomes
        .filter((outcome) => isAnswer(outcome, stepOf, opened))
        .map(({ stepId, state, output, choice, error }): [string, RecordedStep] => [
          stepId,
          state === 'completed' || error === null
            ? { output, ...(choice !== null && { choice }) }
            : { error: { code: error.code, message: error.message } },
        ]),
    ),
  }
}

/** `call` of `call/$open`; undefined for all other rows. */
function containerOfOpening(path: string): string | undefined {
  return idOfPath(path) === openRow ? path.slice(0, -openRow.length - 1) : undefined
}

/** Whether a model, a service or a person made the outcome. A replay computes everything else again. */
function isAnswer(outcome: StepOutcome, stepOf: StepFinder, opened: ReadonlySet<string>): boolean {
  const { stepId, state } = outcome
  // Every outcome is shown to the finder: a sub-flow begins with the row that names it.
  const step = stepOf(outcome)
  const container = containerOfOpening(stepId)
  if (container !== undefined) {
    // Services evaluate the input of an agent: they list the tools.
    const around = stepOf({ ...outcome, stepId: container, details: {} })
    return around !== undefined && kindOf(around).container?.generatesSteps === true
  }
  if (isContainerRow(stepId) || state === 'skipped') return false
  if (step !== undefined) return !isPure(step) && !isContainer(step)
  return !isComputed(idOfPath(stepId)) && !opened.has(stepId)
}

/** Generated steps that evaluate an expression: the condition of a loop, and values in the result of a scope. */
function isComputed(id: string): boolean {
  return /^\$(?:until|value_\d+)$/.test(id)
}
