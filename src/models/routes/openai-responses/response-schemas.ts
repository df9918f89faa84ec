import { Type } from 'typebox'

/* The responses of the Responses API, with the fields that its clients read. */

const item = Type.Object({ type: Type.String() }, { additionalProperties: true })

const nullableObject = Type.Unsafe<object | null>({
  type: 'object',
  nullable: true,
  additionalProperties: true,
})

const responseSchema = Type.Object(
  {
    id: Type.String({ description: 'Ends with the id of the call, which is also in `X-Call-Id`.' }),
    object: Type.Literal('response'),
    created_at: Type.Integer({ description: 'Unix time in seconds.' }),
    status: Type.String({ description: '`completed` or `incomplete`.' }),
    incomplete_details: nullableObject,
    model: Type.String({ description: 'The model that generated the response.' }),
    output: Type.Array(item, {
      description: 'Items of the types `reasoning`, `message`, `function_call` and `custom_tool_call`.',
    }),
    previous_response_id: Type.Unsafe<string | null>({ type: 'string', nullable: true }),
    store: Type.Boolean({ description: 'Whether the response is stored on this platform.' }),
    usage: nullableObject,
  },
  { additionalProperties: true, description: 'A response.' },
)

export const createdResponse = {
  description: 'The response, or a stream of events.',
  content: {
    'application/json': { schema: responseSchema },
    'text/event-stream': { schema: Type.String({ description: 'Server-sent events.' }) },
  },
}

export const storedResponse = {
  description: 'The response.',
  content: { 'application/json': { schema: responseSchema } },
}

export const deletedSchema = Type.Object(
  { id: Type.String(), object: Type.Literal('response'), deleted: Type.Literal(true) },
  { description: 'The response was deleted.' },
)

export const inputItemsSchema = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(item),
    first_id: Type.Unsafe<string | null>({ type: 'string', nullable: true }),
    last_id: Type.Unsafe<string | null>({ type: 'string', nullable: true }),
    has_more: Type.Boolean(),
  },
  { description: 'A page of the input items.' },
)
