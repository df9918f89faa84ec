import { type Static, type TSchema, Type } from 'typebox'

/* The responses of the OpenAI API, with the fields that its clients read. */

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

const usageSchema = Type.Object(
  {
    prompt_tokens: Type.Integer(),
    completion_tokens: Type.Integer(),
    total_tokens: Type.Integer(),
    prompt_tokens_details: Type.Optional(Type.Object({ cached_tokens: Type.Integer() })),
  },
  { description: 'The usage that the provider reported.' },
)

function completionOf<Name extends string, Choice extends TSchema>(object: Name, choice: Choice) {
  return Type.Object({
    id: Type.String({ description: 'Ends with the id of the call, which is also in `X-Call-Id`.' }),
    object: Type.Literal(object),
    created: Type.Integer({ description: 'Unix time in seconds.' }),
    model: Type.String({ description: 'The model that generated the response.' }),
    choices: Type.Array(choice),
    usage: nullable(usageSchema),
  })
}

const finish = {
  logprobs: Type.Null(),
  finish_reason: Type.String({ description: '`stop`, `length`, `tool_calls` or `content_filter`.' }),
}

const toolCall = Type.Object({
  id: Type.String(),
  type: Type.Literal('function'),
  function: Type.Object({
    name: Type.String(),
    arguments: Type.String({ description: 'JSON, as the model wrote it.' }),
  }),
})

const chatCompletion = completionOf(
  'chat.completion',
  Type.Object({
    index: Type.Integer(),
    message: Type.Object({
      role: Type.Literal('assistant'),
      content: nullable(Type.String()),
      tool_calls: Type.Optional(Type.Array(toolCall)),
      refusal: Type.Null(),
      reasoning_content: Type.Optional(Type.String({ description: 'The reasoning of the model.' })),
    }),
    ...finish,
  }),
)

const textCompletion = completionOf(
  'text_completion',
  Type.Object({ index: Type.Integer(), text: Type.String(), ...finish }),
)

const events = Type.String({
  description: 'Server-sent events with one chunk each; the last one is `[DONE]`.',
})

export const chatResponse = {
  description: 'The response, or a stream of events.',
  content: { 'application/json': { schema: chatCompletion }, 'text/event-stream': { schema: events } },
}

export const completionResponse = {
  description: 'The response, or a stream of events.',
  content: { 'application/json': { schema: textCompletion }, 'text/event-stream': { schema: events } },
}

export const embeddingResponse = Type.Object(
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
  { description: 'One embedding for each input, in order.' },
)

export const modelSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'Unix time in seconds; 0 when unknown.' }),
    owned_by: Type.String(),
  },
  { description: 'A model.' },
)

export type Usage = Static<typeof usageSchema>
export type ListedModel = Static<typeof modelSchema>
