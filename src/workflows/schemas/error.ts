import { Type } from 'typebox'
import { schemas } from '#executions-api'
import { freeForm, integer, maybeNumber, maybeText, text, texts } from './values.ts'

export const RecoveryOptions = Type.Array(
  Type.Object({
    action: Type.Enum([
      'retry_with_different_provider',
      'continue_without_failed_step',
      'restart_from_checkpoint',
    ]),
    description: text('The effect of the option.'),
    estimated_cost: maybeNumber('Dollars; null without history.'),
    estimated_time: maybeNumber('Seconds; null without history.'),
    impact: text('The effect on the result.'),
  }),
  {
    description:
      'Options for `POST /executions/{execution_id}/recover`. Empty when nothing can be recovered.',
  },
)

/** The error response of this API. */
export const WorkflowsError = Type.Object({
  error: Type.Object({
    code: text('The error code, such as `FLOW_NOT_FOUND`.'),
    message: text('The problem and how to fix it.'),
    details: Type.Object(
      {
        execution_id: Type.Optional(text('The execution that failed.')),
        failed_step: Type.Optional(maybeText('The failed step; null when no single step failed.')),
        provider: Type.Optional(maybeText('The provider that failed; null without one.')),
        timeout_duration: Type.Optional(
          maybeNumber('The exceeded timeout in seconds; null for other failures.'),
        ),
        retry_attempts: Type.Optional(integer('Retries of the failed step.')),
        partial_results: Type.Optional(
          Type.Object({
            completed_steps: texts('Completed steps.'),
            available_data: freeForm('The shared memory at the time of the failure.'),
          }),
        ),
        problems: Type.Optional(
          Type.Array(schemas.problem('The path of the field, such as `context.metadata.deadline`.'), {
            description: 'All problems of the request.',
          }),
        ),
        suggestions: Type.Optional(texts('Similar ids.')),
      },
      {
        additionalProperties: true,
        description: 'Further details. The fields depend on the code.',
      },
    ),
    recovery_options: RecoveryOptions,
    timestamp: integer('Epoch seconds.'),
    request_id: text('The same as the header `X-Request-Id`.'),
    support_reference: text('The reference of the request in the server log.'),
    documentation_url: text('The documentation of this API on the same server.'),
  }),
})
