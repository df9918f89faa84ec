import { Type } from 'typebox'
import { commonErrorCodes, describeError, schemas } from '#executions-api'
import type { ApiDefinition, RatePolicy } from '#kernel/http'
import { integer, text, texts } from './schemas/values.ts'

export const orchestraPrefix = '/ai-orchestra/api'

/** The codes of failures that are not the upper case of their own code. */
const errorCodes: ApiDefinition['errorCodes'] = {
  ...commonErrorCodes,
  malformed_body: 'INVALID_REQUEST',
  invalid_input: 'VALIDATION_ERROR',
  budget_used_up: { code: 'RATE_LIMIT_EXCEEDED', status: 429 },
  answer_not_as_asked: { code: 'EXECUTION_FAILED', status: 500 },
  too_many_executions: 'RATE_LIMIT_EXCEEDED',
  flow_not_found: 'WORKFLOW_NOT_FOUND',
  flow_conflict: 'WORKFLOW_CONFLICT',
  flow_disabled: 'WORKFLOW_DISABLED',
  invalid_flow_definition: { code: 'VALIDATION_ERROR', status: 400 },
}

/** The definition of the Orchestra API. */
export function defineOrchestraApi(publicUrl: string | undefined, ratePolicy: RatePolicy): ApiDefinition {
  return {
    name: 'orchestra',
    title: 'Orchestra',
    version: '1.0.0',
    description: 'Runs workflows of agents and monitors the platform.',
    prefixes: [orchestraPrefix],
    errorCodes,
    errorBody: (error) => ({
      error: {
        ...describeError(error),
        documentation: `${publicUrl?.replace(/\/$/, '') ?? error.origin}/docs#orchestra`,
      },
    }),
    errorSchema: OrchestraError,
    ratePolicy,
  }
}

/** The error response of this API. */
export const OrchestraError = Type.Object({
  error: Type.Object({
    code: text('The error code, such as `WORKFLOW_NOT_FOUND`.'),
    message: text('The problem and how to fix it.'),
    details: Type.Object(
      {
        problems: Type.Optional(
          Type.Array(schemas.problem('The path of the field, such as `options.timeout`.'), {
            description: 'All problems of the request.',
          }),
        ),
        suggestions: Type.Optional(texts('Similar ids, the best match first.')),
      },
      {
        additionalProperties: true,
        description: 'Additional fields, depending on the code.',
      },
    ),
    timestamp: integer('Epoch seconds.'),
    request_id: text('The same as the header `X-Request-Id`.'),
    documentation: text('The documentation of this API on the same server.'),
  }),
})
