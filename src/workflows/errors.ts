import { failuresOf } from '#kernel/errors'

/** How an execution can end that was waited for, with the status its caller gets. The codes are the interface's own. */
const executionFailureTable = {
  VALIDATION_FAILED: { status: 400, message: 'What a step made is not what it was asked for.' },
  INSUFFICIENT_CREDITS: { status: 429, message: 'The budget does not allow the next call.' },
  STEP_DEPENDENCY_FAILED: { status: 422, message: 'A step that another one needs has failed.' },
  MEMORY_LIMIT_EXCEEDED: { status: 422, message: 'The execution holds more than it may.' },
  INVALID_STEP: { status: 422, message: 'A step cannot do what it says with what it was given.' },
  EXTERNAL_API_REFUSED: { status: 422, message: 'A step calls an address that may not be called.' },
  EXECUTION_CANCELLED: { status: 409, message: 'The execution was cancelled.' },
  AGENT_DECISION_ERROR: { status: 500, message: 'An agent could not decide.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side.' },
  EXECUTION_FAILED: { status: 500, message: 'The execution failed.' },
  PROVIDER_UNAVAILABLE: { status: 502, message: 'No provider answered.' },
  EXTERNAL_API_FAILED: { status: 502, message: 'A call to another API did not succeed.' },
  EXECUTION_TIMEOUT: { status: 504, message: 'The execution took longer than it may.' },
} as const

type ExecutionFailureCode = keyof typeof executionFailureTable

export const executionFailure = failuresOf(executionFailureTable)

/** An error that was stored by a release with other codes is still told, as a plain failure. */
export function knownCode(code: string): ExecutionFailureCode {
  return Object.hasOwn(executionFailureTable, code) ? (code as ExecutionFailureCode) : 'EXECUTION_FAILED'
}
