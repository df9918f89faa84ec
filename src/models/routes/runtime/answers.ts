import { Type } from 'typebox'

/* What the runtime answers in one piece. A node may say more than this, and all of it is passed on. */

const count = (description: string) => Type.Optional(Type.Integer({ description }))

const facts = {
  model: Type.String({ description: 'The one that answered.' }),
  created_at: Type.String({ format: 'date-time' }),
  done: Type.Boolean(),
  done_reason: Type.Optional(
    Type.String({ description: '`stop`, `length`, or another word of its provider.' }),
  ),
  total_duration: count('Nanoseconds for the whole of it.'),
  load_duration: count('Nanoseconds to load the model, when a node says.'),
  prompt_eval_count: count('Tokens read, when the provider says.'),
  prompt_eval_duration: count('Nanoseconds to the first token.'),
  eval_count: count('Tokens written, when the provider says.'),
  eval_duration: count('Nanoseconds from the first token to the last.'),
}

const thinking = Type.Optional(Type.String({ description: 'What a reasoning model thought aloud.' }))

function streamed<Schema extends ReturnType<typeof Type.Object>>(schema: Schema, description: string) {
  return {
    description,
    content: { 'application/json': { schema }, 'application/x-ndjson': { schema } },
  }
}

export const generateAnswer = streamed(
  Type.Object({ ...facts, response: Type.String(), thinking }, { additionalProperties: true }),
  'The answer, or a piece of it on each line.',
)

export const chatAnswer = streamed(
  Type.Object(
    { ...facts, message: Type.Object({ role: Type.String(), content: Type.String(), thinking }) },
    { additionalProperties: true },
  ),
  'The answer, or a piece of it on each line.',
)

export const embedAnswer = Type.Object(
  {
    model: Type.String(),
    embeddings: Type.Array(Type.Array(Type.Number())),
    total_duration: Type.Integer({ description: 'Nanoseconds.' }),
    prompt_eval_count: Type.Optional(Type.Integer()),
  },
  { description: 'One vector for each input.' },
)
