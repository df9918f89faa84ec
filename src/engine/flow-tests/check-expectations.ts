import type { Comparison } from '../definition/common-step.ts'
import { holds } from '../expressions/conditions.ts'
import { asText, lookUp, type Scope } from '../expressions/paths.ts'
import type { StoredExecution } from '../store/read-execution.ts'

/** Why a test did not pass. */
export interface TestProblem {
  readonly code: string
  readonly message: string
  /** The condition that is not met. */
  readonly expectation?: FailedExpectation
}

interface FailedExpectation extends Pick<Comparison, 'field' | 'operator'> {
  /** The value of the condition; undefined: it needs none. */
  readonly expected: unknown
  /** The value that the field has; undefined: it has none. A large one is text and cut. */
  readonly actual: unknown
}

/** In the message. */
const maxShown = 200
/** In the expectation, as JSON. */
const maxActualLength = 20_000

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
    expectation: { field, operator, expected: value, actual: bounded(found) },
  }
}

function bounded(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > maxActualLength ? `${text.slice(0, maxActualLength)} …` : value
}
