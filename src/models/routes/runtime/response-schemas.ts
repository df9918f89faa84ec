import { Type } from 'typebox'

/* The responses of the model runtime. Further fields of a node are passed on. */

const count = (description: string) => Type.Optional(Type.Integer({ description }))

const commonFields = {
  model: Type.String({ description: 'The model that generated the response.' }),
  created_at: Type.String({ format: 'date-time' }),
  done: Type.Boolean(),
  done_reason: Type.Optional(
    Type.String({ description: '`stop`, `length`, or another reason of the provider.' }),
  ),
  total_duration: count('Total duration in nanoseconds.'),
  load_duration: count('Nanoseconds to load the model, if a node reports it.'),
  prompt_eval_count: count('Input tokens, if the provider reports them.'),
  prompt_eval_duration: count('Nanoseconds until the first token.'),
  eval_count: count('Output tokens, if the provider reports them.'),
  eval_duration: count('Nanoseconds from the first to the last token.'),
}

const thinkingField = Type.Optional(Type.String({ description: 'The reasoning of the model.' }))

const toolCall = Type.Object(
  {
    id: Type.Optional(Type.String()),
    function: Type.Object(
      { name: Type.String(), arguments: Type.Object({}, { additionalProperties: true }) },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: true },
)

function streamed<Schema extends ReturnType<typeof Type.Object>>(schema: Schema, description: string) {
  return {
    description,
    content: { 'application/json': { schema }, 'application/x-ndjson': { schema } },
  }
}

export const generateResponse = streamed(
  Type.Object(
    { ...commonFields, response: Type.String(), thinking: thinkingField },
    { additionalProperties: true },
  ),
  'The response, or one part on each line.',
)

export const chatResponse = streamed(
  Type.Object(
    {
      ...commonFields,
      message: Type.Object(
        {
          role: Type.String(),
          content: Type.String(),
          thinking: thinkingField,
          tool_calls: Type.Optional(Type.Array(toolCall)),
        },
        { additionalProperties: true },
      ),
    },
    { additionalProperties: true },
  ),
  'The response, or one part on each line.',
)

export const embedResponse = Type.Object(
  {
    model: Type.String(),
    embeddings: Type.Array(Type.Array(Type.Number())),
    total_duration: Type.Integer({ description: 'Nanoseconds.' }),
    prompt_eval_count: Type.Optional(Type.Integer()),
  },
  { additionalProperties: true, description: 'One embedding for each input.' },
)

export const embeddingsResponse = Type.Object(
  { embedding: Type.Array(Type.Number()) },
  { description: 'The embedding.' },
)
