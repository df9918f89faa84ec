import { commonErrorCodes, describeError } from '#executions-api'
import type { Failure } from '#kernel/errors'
import type { ApiDefinition, ErrorView } from '#kernel/http'
import { WorkflowsError } from './schemas/error.ts'

export const workflowsPrefix = '/ai-workflows/api'

/** The codes of failures that are not the upper case of their own code. */
const errorCodes: ApiDefinition['errorCodes'] = {
  ...commonErrorCodes,
  malformed_body: 'VALIDATION_FAILED',
  invalid_input: 'VALIDATION_FAILED',
  budget_used_up: 'INSUFFICIENT_CREDITS',
  answer_not_as_asked: { code: 'AGENT_DECISION_ERROR', status: 500 },
  too_many_executions: 'CONCURRENT_LIMIT_EXCEEDED',
  flow_disabled: 'FLOW_CONFLICT',
}

/** The code of a failure in a response of this API. Never throws. */
export function errorCodeOf({ code }: Pick<Failure, 'code'>): string {
  const known = errorCodes[code] ?? code
  return (typeof known === 'string' ? known : known.code).toUpperCase()
}

/** The definition of the Workflows API. */
export function defineWorkflowsApi(publicUrl: string | undefined): ApiDefinition {
  return {
    name: 'workflows',
    title: 'Workflows',
    version: '1.0.0',
    description: 'Runs multi-step flows, synchronously or in the background.',
    prefixes: [workflowsPrefix],
    errorCodes,
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
