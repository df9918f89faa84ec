import { defineFailures } from '#kernel/errors'

/** The failures of the Orchestra API, with its own codes. */
const orchestraFailureTable = {
  WORKFLOW_NOT_FOUND: { status: 404, message: 'There is no such workflow.' },
  AGENT_NOT_FOUND: { status: 404, message: 'There is no such agent.' },
  AGENT_CONFLICT: { status: 409, message: 'The agent was changed in between, or cannot be changed.' },
  VALIDATION_ERROR: { status: 400, message: 'A step cannot run with its input.' },
  EXECUTION_FAILED: { status: 500, message: 'The execution failed.' },
  EXECUTION_CANCELLED: { status: 409, message: 'The execution was cancelled.' },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'The budget is exhausted.' },
  PROVIDER_UNAVAILABLE: { status: 502, message: 'No provider responded.' },
  TIMEOUT_ERROR: { status: 504, message: 'The execution exceeded its timeout.' },
} as const

export const orchestraFailure = defineFailures(orchestraFailureTable)
