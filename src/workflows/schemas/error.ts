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
    description: text('What it does.'),
    estimated_cost: maybeNumber('Dollars; null without any history.'),
    estimated_time: maybeNumber('Seconds; null without any history.'),
    impact: text('What it means for the result.'),
  }),
  {
    description:
      'What `POST /executions/{execution_id}/recover` could do. Empty where nothing can be recovered.',
  },
)

/** The error response of this API. */
export const WorkflowsError = Type.Object({
  error: Type.Object({
    code: text('Such as `FLOW_NOT_FOUND`.'),
    message: text('What is wrong and how to fix it.'),
    details: Type.Object(
      {
        execution_id: Type.Optional(text('The execution that failed.')),
        failed_step: Type.Optional(maybeText('Null when it failed as a whole.')),
        provider: Type.Optional(maybeText('The provider that failed; null without one.')),
        timeout_duration: Type.Optional(
          maybeNumber('Seconds it could have taken; null when time was not the reason.'),
        ),
        retry_attempts: Type.Optional(integer('Further tries that the failed step had.')),
        partial_results: Type.Optional(
          Type.Object({
            completed_steps: texts('Steps that had succeeded.'),
            available_data: freeForm('What they left in the shared memory.'),
          }),
        ),
        problems: Type.Optional(
          Type.Array(schemas.problem('Such as `context.metadata.deadline`.'), {
            description: 'Everything that is wrong with a request.',
          }),
        ),
        suggestions: Type.Optional(texts('What may have been meant.')),
      },
      {
        additionalProperties: true,
        description: 'What is known besides. Which fields there are depends on the code.',
      },
    ),
    recovery_options: RecoveryOptions,
    timestamp: integer('Epoch seconds.'),
    request_id: text('The same as the header `X-Request-Id`.'),
    support_reference: text(
      'The reference for the operator of the server: the log entries of the request have it.',
    ),
    documentation_url: text('The documentation of this API on the same server.'),
  }),
})
