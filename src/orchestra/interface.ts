import type { ErrorView, InterfaceDefinition, RatePolicy } from '#kernel/http'
import { commonWording } from '#runs'
import { OrchestraError } from './schemas/error-body.ts'

export const orchestraPrefix = '/ai-orchestra/api'

/** Every failure from below that this interface does not simply say in capitals. */
const wording: InterfaceDefinition['wording'] = {
  ...commonWording,
  malformed_body: 'INVALID_REQUEST',
  invalid_input: 'VALIDATION_ERROR',
  budget_used_up: { code: 'RATE_LIMIT_EXCEEDED', status: 429 },
  answer_not_as_asked: { code: 'EXECUTION_FAILED', status: 500 },
  too_many_executions: 'RATE_LIMIT_EXCEEDED',
  flow_not_found: 'WORKFLOW_NOT_FOUND',
  flow_conflict: 'WORKFLOW_CONFLICT',
  invalid_flow_definition: { code: 'VALIDATION_ERROR', status: 400 },
}

/** The Orchestra interface: how its requests are counted, and the address its errors send readers to. */
export function createOrchestraInterface(
  publicUrl: string | undefined,
  ratePolicy: RatePolicy,
): InterfaceDefinition {
  return {
    name: 'orchestra',
    title: 'Orchestra',
    version: '1.0.0',
    description: 'Runs named workflows of agents, and shows the whole platform at work.',
    prefixes: [orchestraPrefix],
    wording,
    errorBody: (error) => describeError(error, publicUrl),
    errorSchema: OrchestraError,
    ratePolicy,
  }
}

function describeError(
  { code, message, details, problems, requestId, origin, at }: ErrorView,
  publicUrl: string | undefined,
) {
  return {
    error: {
      code: code.toUpperCase(),
      message,
      details: { ...details, ...(problems.length > 0 && { problems }) },
      timestamp: Math.floor(at.getTime() / 1000),
      request_id: requestId,
      documentation: `${publicUrl?.replace(/\/$/, '') ?? origin}/docs#orchestra`,
    },
  }
}
