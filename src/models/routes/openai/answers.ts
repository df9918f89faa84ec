import { type Static, type TSchema, Type } from 'typebox'

/* What OpenAI answers in one piece, with what its clients read of it. */

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const usageSchema = Type.Object(
  {
    prompt_tokens: Type.Integer(),
    completion_tokens: Type.Integer(),
    total_tokens: Type.Integer(),
    prompt_tokens_details: Type.Optional(Type.Object({ cached_tokens: Type.Integer() })),
  },
  { description: 'As the provider counted.' },
)

function answerOf<Name extends string, Choice extends TSchema>(object: Name, choice: Choice) {
  return Type.Object({
    id: Type.String({ description: 'Ends with the id of the call, which `X-Call-Id` has as well.' }),
    object: Type.Literal(object),
    created: Type.Integer({ description: 'Seconds since 1970.' }),
    model: Type.String({ description: 'The one that answered.' }),
    choices: Type.Array(choice),
    usage: nullable(usageSchema),
  })
}

const finish = {
  logprobs: Type.Null(),
  finish_reason: Type.String({ description: '`stop`, `length` or `content_filter`.' }),
}

const chatCompletion = answerOf(
  'chat.completion',
  Type.Object({
    index: Type.Integer(),
    message: Type.Object({
      role: Type.Literal('assistant'),
      content: Type.String(),
      refusal: Type.Null(),
      reasoning_content: Type.Optional(Type.String({ description: 'What the model thought aloud.' })),
    }),
    ...finish,
  }),
)

const textCompletion = answerOf(
  'text_completion',
  Type.Object({ index: Type.Integer(), text: Type.String(), ...finish }),
)

const events = Type.String({
  description: 'Server-sent events: a chunk in each, and `[DONE]` in the last.',
})

export const chatAnswer = {
  description: 'The answer, or events as it comes.',
  content: { 'application/json': { schema: chatCompletion }, 'text/event-stream': { schema: events } },
}

export const completionAnswer = {
  description: 'The answer, or events as it comes.',
  content: { 'application/json': { schema: textCompletion }, 'text/event-stream': { schema: events } },
}

export const embeddingAnswer = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(
      Type.Object({
        object: Type.Literal('embedding'),
        index: Type.Integer(),
        embedding: Type.Union([Type.Array(Type.Number()), Type.String()]),
      }),
    ),
    model: Type.String(),
    usage: nullable(Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() })),
  },
  { description: 'One vector for each input, in their order.' },
)

export const modelSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'Seconds since 1970; 0 when nobody says.' }),
    owned_by: Type.String(),
  },
  { description: 'A model.' },
)

export type Usage = Static<typeof usageSchema>
export type ListedModel = Static<typeof modelSchema>
