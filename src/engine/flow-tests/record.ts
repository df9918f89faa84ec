import { allSteps, idOfPath, isContainerRow } from '../definition/nested-steps.ts'
import { isContainer, isPure } from '../definition/step-types.ts'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput } from '../execution/input.ts'
import type { RecordedStep, Recording } from '../steps/replay-steps.ts'
import type { StoredExecution } from '../store/read-execution.ts'

/** The input of a test. */
export type TestInput = Pick<ExecutionInput, 'context' | 'memory' | 'options'>

/**
 * The input of a finished execution, and what its steps with effects answered. Throws `flow_test_not_recordable` for an execution that
 * has not ended, has a batch, or did not keep its outputs.
 */
export function recordExecution(
  execution: Pick<StoredExecution, 'id' | 'status' | 'finishedAt' | 'input' | 'definition' | 'outcomes'>,
): { readonly input: TestInput; readonly recorded: Recording } {
  const { id, finishedAt, input, definition, outcomes } = execution
  const refuse = (message: string) =>
    engineFailure('flow_test_not_recordable', { message, details: { execution_id: id } })
  if (finishedAt === null) throw refuse('The execution has not ended yet, so it cannot be recorded.')
  if (input.batch !== undefined)
    throw refuse('An execution of a batch cannot be recorded. Run one of its items.')
  const computed = new Set(
    allSteps(definition.steps).flatMap((step) => (isPure(step) || isContainer(step) ? step.id : [])),
  )
  const answered = outcomes.filter(
    ({ stepId, state }) => state !== 'skipped' && !isContainerRow(stepId) && !computed.has(idOfPath(stepId)),
  )
  const wereRemoved = outcomes.some(({ state, output }) => state === 'completed' && output === null)
  if (wereRemoved && input.options.monitoring?.track_intermediate_results === false) {
    throw refuse('The execution did not keep its outputs. Run it with track_intermediate_results.')
  }
  return {
    input: { context: input.context, memory: input.memory, options: input.options },
    recorded: Object.fromEntries(
      answered.map(({ stepId, state, output, choice, error }): [string, RecordedStep] => [
        stepId,
        state === 'completed' || error === null
          ? { output, ...(choice !== null && { choice }) }
          : { error: { code: error.code, message: error.message } },
      ]),
    ),
  }
}
