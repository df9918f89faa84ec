import { Type } from 'typebox'
import { integer, text, texts } from './values.ts'

const Problem = Type.Object({
  path: text('Such as `options.timeout`.'),
  message: Type.String(),
  code: Type.String(),
})

/** Every error of this interface. */
export const OrchestraError = Type.Object({
  error: Type.Object({
    code: text('Such as `WORKFLOW_NOT_FOUND`.'),
    message: text('What happened and what to do, for people.'),
    details: Type.Object(
      {
        problems: Type.Optional(
          Type.Array(Problem, { description: 'Everything that is wrong with a request.' }),
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
