import { commonErrorCodes, describeError } from '#executions-api'
import type { ErrorView, InterfaceDefinition } from '#kernel/http'
import { WorkflowsError } from './schemas/error-body.ts'

export const workflowsPrefix = '/ai-workflows/api'

/** Every failure from below that this interface does not simply say in capitals. */
const errorMessages: InterfaceDefinition['errorMessages'] = {
  ...commonErrorCodes,
  malformed_body: 'VALIDATION_FAILED',
  invalid_input: 'VALIDATION_FAILED',
  budget_used_up: 'INSUFFICIENT_CREDITS',
  answer_not_as_asked: { code: 'AGENT_DECISION_ERROR', status: 500 },
  too_many_executions: 'CONCURRENT_LIMIT_EXCEEDED',
}

/** The Workflows interface, with the address its errors send readers to. */
export function createWorkflowsInterface(publicUrl: string | undefined): InterfaceDefinition {
  return {
    name: 'workflows',
    title: 'Workflows',
    version: '1.0.0',
    description: 'Runs multi-step flows at once or in the background, and tells all about it.',
    prefixes: [workflowsPrefix],
    errorMessages,
    errorBody: (error) => describeWorkflowsError(error, publicUrl),
    errorSchema: WorkflowsError,
  }
}

/** `recovery_options` travel with the details of a failure, and stand beside them in the response. */
function describeWorkflowsError(error: ErrorView, publicUrl: string | undefined) {
  const { recovery_options = [], ...details } = error.details
  return {
    error: {
      ...describeError({ ...error, details }),
      recovery_options,
      support_reference: `request:${error.requestId}`,
      documentation_url: `${publicUrl?.replace(/\/$/, '') ?? error.origin}/docs#workflows`,
    },
  }
}
