import { Type } from 'typebox'
import { commonErrorCodes, describeError, schemas } from '#executions-api'
import type { InterfaceDefinition, RatePolicy } from '#kernel/http'
import { integer, text, texts } from './schemas/values.ts'

export const orchestraPrefix = '/ai-orchestra/api'

/** Every failure from below that this interface does not simply say in capitals. */
const errorMessages: InterfaceDefinition['errorMessages'] = {
  ...commonErrorCodes,
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
    errorMessages,
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

/** Every error of this interface. */
export const OrchestraError = Type.Object({
  error: Type.Object({
    code: text('Such as `WORKFLOW_NOT_FOUND`.'),
    message: text('What happened and what to do, for people.'),
    details: Type.Object(
      {
        problems: Type.Optional(
          Type.Array(schemas.problem('Such as `options.timeout`.'), {
            description: 'Everything that is wrong with a request.',
          }),
        ),
        suggestions: Type.Optional(texts('What may have been meant, the likeliest first.')),
      },
      {
        additionalProperties: true,
        description: 'What is known besides. Which fields there are depends on the code.',
      },
    ),
    timestamp: integer('Epoch seconds.'),
    request_id: text('The same as the header `X-Request-Id`.'),
    documentation: text('The page about this interface, on the same server.'),
  }),
})
