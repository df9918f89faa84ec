import type { Comparison } from '../definition/common-step.ts'
import { holds } from '../expressions/conditions.ts'
import { asText, lookUp, type Scope } from '../expressions/paths.ts'
import type { StoredExecution } from '../store/read-execution.ts'

/** Why a test did not pass. */
export interface TestProblem {
  readonly code: string
  readonly message: string
}

const maxShown = 200

/**
 * The expectations that an execution does not meet. Conditions read `status`, `error.code`, `error.message`, `result` and `steps.ID`.
 * Unless one reads `status`, the execution has to be completed. Never throws.
 */
export function checkExpectations(
  { status, error, outcomes }: Pick<StoredExecution, 'status' | 'error' | 'outcomes'>,
  result: unknown,
  expect: readonly Comparison[],
): readonly TestProblem[] {
  const scope: Scope = {
    context: { status, result, error },
    memory: {},
    steps: Object.fromEntries(
      outcomes.filter(({ state }) => state === 'completed').map(({ stepId, output }) => [stepId, output]),
    ),
  }
  const readsStatus = expect.some(({ field }) => field === 'status')
  const hasFailed = status !== 'completed' && !readsStatus
  return [
    ...(hasFailed
      ? [
          {
            code: error?.code ?? status.toUpperCase(),
            message: error?.message ?? `The execution was ${status}.`,
          },
        ]
      : []),
    ...expect.filter((condition) => !holds(condition, scope)).map((condition) => describe(condition, scope)),
  ]
}

function describe({ field, operator, value }: Comparison, scope: Scope): TestProblem {
  const found = lookUp(scope, field)
  const expected = value === undefined ? '' : ` ${asText(value)}`
  const seen = found === undefined ? 'there is no value' : `it is ${asText(found).slice(0, maxShown)}`
  return {
    code: 'EXPECTATION_FAILED',
    message: `Expected ${field} ${operator}${expected.slice(0, maxShown)}, and ${seen}.`,
  }
}
