import { type Static, type TObject, Type } from 'typebox'

/* Schemas that both HTTP APIs share: fields with a description, and parts whose contract is the same in both. */

/** A number that may be unknown. */
export const maybeNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: 'number', nullable: true, description })

export const maybeInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: 'integer', nullable: true, description })

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
    description: 'As it was answered when the execution was started.',
  }),
})

/** Stands beside every cost of steps and executions. */
export const unpriced = flag(
  'A model whose price is not known answered: it counts as 0, and the cost is not complete.',
)

export const warning = (types: string) =>
  Type.Object({
    type: text(types),
    message: Type.String(),
    step: maybeText('The step it is about.'),
    threshold: maybeNumber('The value that was reached, where there is one.'),
    actual: maybeNumber('The value that was found.'),
  })

export const CallbackInfo = Type.Object({
  webhook_url: maybeText('Who is called, as it was given; null when nobody is.'),
  webhook_secret: maybeText(
    'What the calls are signed with. Told once: null in an answer that takes the place of one that was lost.',
  ),
  supported_events: texts('What it will hear of.'),
})

/** One thing that is wrong with a request. */
export const problem = (path: string) =>
  Type.Object({ path: text(path), message: Type.String(), code: Type.String() })

/** The body of a cancel request; the APIs differ in how long `force` waits for the worker. */
export const cancelRequest = (force: string) =>
  optionalBody(
    Type.Object(
      {
        reason: Type.Optional(
          Type.String({ maxLength: 2000, description: 'Why, for whoever looks at the execution later.' }),
        ),
        force: Type.Optional(Type.Boolean({ description: force })),
        cleanup: Type.Optional(
          Type.Boolean({
            description:
              'Removes the outputs of its steps in the commit that ends it as cancelled, also when that happens after this answer (202). `partial_results` still has those that were stored when the request came. Default: false.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  )

export const cancelledFields = {
  success: flag('It is cancelled, or will be as soon as its worker answers.'),
  execution_id: Type.String(),
  status: Type.Enum([...executionStates], {
    description: '`cancelled`; still `running` in an answer with 202.',
  }),
  cancelled_at: maybeInteger('Epoch seconds; null while its worker has not answered.'),
  steps_completed: integer('Steps that had been completed, over all items of a batch.'),
  steps_cancelled: integer(
    'Steps that will not run any more because of this, those that were stopped included.',
  ),
  partial_results: freeForm('What completed steps had made, by step; in a batch each has a list by item.'),
  cleanup_status: Type.Enum(['completed', 'removed', 'in_progress'], {
    description:
      '`completed`: calls were stopped and their costs settled. `removed`: and what steps had made is gone, as asked. `in_progress`: its worker has not answered yet.',
  }),
  refund_amount: number(
    'Dollars that were set aside for calls and came back, because they were not made or cost less.',
  ),
}
