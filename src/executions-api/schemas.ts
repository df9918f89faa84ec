import { type Static, type TObject, Type } from 'typebox'

/* Schemas that both HTTP APIs share: fields with a description, and parts whose contract is the same in both. */

/** A number that may be unknown. */
export const maybeNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: 'number', nullable: true, description })

/** An integer that may be unknown. */
export const maybeInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: 'integer', nullable: true, description })

/** A text that may be unknown. */
export const maybeText = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, description })

export const integer = (description: string) => Type.Integer({ description })
export const number = (description: string) => Type.Number({ description })
export const text = (description: string) => Type.String({ description })
export const flag = (description: string) => Type.Boolean({ description })
export const texts = (description: string) => Type.Array(Type.String(), { description })

/** An object with any keys. */
export const freeForm = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true, description })

/** A request body that may be left out. */
export function optionalBody<Body extends TObject>(schema: Body) {
  return Type.Unsafe<Static<Body> | null | undefined>({ ...schema, nullable: true })
}

/** The content an execution works on: any JSON except null, which means that there is none. */
export function content(description: string) {
  return Type.Optional(
    Type.Unsafe<unknown>({
      anyOf: [
        { type: 'string' },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'object', additionalProperties: true },
        { type: 'array', items: {} },
      ],
      description,
    }),
  )
}

export const executionStates = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

/** Path parameters of the routes about one execution. */
export const executionParams = Type.Object({
  execution_id: Type.String({
    maxLength: 200,
    description: 'The id from the response to the start request.',
  }),
})

/** The field beside every cost of steps and executions. */
export const unpriced = flag(
  'Whether a model without a known price was called. It counts as 0, so the cost is incomplete.',
)

/** A warning; `types` describes its types. */
export const warning = (types: string) =>
  Type.Object({
    type: text(types),
    message: Type.String(),
    step: maybeText('The step that caused the warning; null without one.'),
    threshold: maybeNumber('The threshold; null without one.'),
    actual: maybeNumber('The actual value; null without one.'),
  })

export const CallbackInfo = Type.Object({
  webhook_url: maybeText('The callback URL; null without a callback.'),
  webhook_secret: maybeText(
    'The secret that signs the callbacks. Shown once: null in the response to a repeated request.',
  ),
  supported_events: texts('The events that are sent.'),
})

/** One problem of a request; `path` describes its path. */
export const problem = (path: string) =>
  Type.Object({ path: text(path), message: Type.String(), code: Type.String() })

/** The body of a cancel request; the APIs differ in how long `force` waits for the worker. */
export const cancelRequest = (force: string) =>
  optionalBody(
    Type.Object(
      {
        reason: Type.Optional(
          Type.String({ maxLength: 2000, description: 'The reason, stored with the execution.' }),
        ),
        force: Type.Optional(Type.Boolean({ description: force })),
        cleanup: Type.Optional(
          Type.Boolean({
            description:
              'Removes the outputs of the steps once the execution is cancelled, also after a 202 response. `partial_results` still has the outputs that were stored before the request. Default: false.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  )

export const cancelledFields = {
  success: flag('The execution is cancelled, or will be once its worker confirms.'),
  execution_id: Type.String(),
  status: Type.Enum([...executionStates], {
    description: '`cancelled`; still `running` in a 202 response.',
  }),
  cancelled_at: maybeInteger('Epoch seconds; null until the worker confirms.'),
  steps_completed: integer('Completed steps, over all items of a batch.'),
  steps_cancelled: integer('Steps that will not run, including stopped ones.'),
  partial_results: freeForm(
    'Outputs of completed steps by step id; in a batch each step has a list by item.',
  ),
  cleanup_status: Type.Enum(['completed', 'removed', 'in_progress'], {
    description:
      '`completed`: calls are stopped and their cost is settled. `removed`: the outputs are removed as well. `in_progress`: the worker has not confirmed yet.',
  }),
  refund_amount: number('Reserved dollars that were released because calls were not made or cost less.'),
}
