import { failuresOf } from '#kernel/errors'

/** What can go wrong here. The codes are the interface's own. */
const orchestraFailureTable = {
  WORKFLOW_NOT_FOUND: { status: 404, message: 'There is no such workflow.' },
  AGENT_NOT_FOUND: { status: 404, message: 'There is no such agent.' },
  AGENT_CONFLICT: { status: 409, message: 'This is not how the agent stands now.' },
  VALIDATION_ERROR: { status: 400, message: 'A step cannot do its work with what it was given.' },
  EXECUTION_FAILED: { status: 500, message: 'The execution failed.' },
  EXECUTION_CANCELLED: { status: 409, message: 'The execution was cancelled.' },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'The budget does not allow the next call.' },
  PROVIDER_UNAVAILABLE: { status: 502, message: 'No provider answered.' },
  TIMEOUT_ERROR: { status: 504, message: 'The execution took longer than it may.' },
} as const

export const orchestraFailure = failuresOf(orchestraFailureTable)
