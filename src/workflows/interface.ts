import type { ErrorView, InterfaceDefinition } from '#kernel/http'
import { commonWording } from '#runs'
import { WorkflowsError } from './schemas/error-body.ts'

export const workflowsPrefix = '/ai-workflows/api'

/** Every failure from below that this interface does not simply say in capitals. */
const wording: InterfaceDefinition['wording'] = {
  ...commonWording,
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
    wording,
    errorBody: (error) => describeError(error, publicUrl),
    errorSchema: WorkflowsError,
  }
}

/** `recovery_options` travel with the details of a failure, and stand beside them here. */
function describeError(error: ErrorView, publicUrl: string | undefined) {
  const { code, message, details, problems, requestId, origin, at } = error
  const { recovery_options = [], ...rest } = details
  return {
    error: {
      code: code.toUpperCase(),
      message,
      details: { ...rest, ...(problems.length > 0 && { problems }) },
      recovery_options,
      timestamp: Math.floor(at.getTime() / 1000),
      request_id: requestId,
      support_reference: `request:${requestId}`,
      documentation_url: `${publicUrl?.replace(/\/$/, '') ?? origin}/docs#workflows`,
    },
  }
}
