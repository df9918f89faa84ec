import { type Static, Type } from 'typebox'

const ToolCall = Type.Object({ id: Type.String(), name: Type.String(), arguments: Type.String() })

const Message = Type.Object({
  role: Type.String(),
  content: Type.Union([
    Type.String(),
    Type.Array(
      Type.Object({
        type: Type.String(),
        text: Type.Optional(Type.String()),
        media: Type.Optional(
          Type.String({ description: 'Type and size of media, or the address without its query.' }),
        ),
        filename: Type.Optional(Type.String()),
      }),
    ),
  ]),
  name: Type.Optional(Type.String()),
  thinking: Type.Optional(Type.String()),
  tool_calls: Type.Optional(Type.Array(ToolCall)),
  tool_call_id: Type.Optional(Type.String()),
  is_error: Type.Optional(Type.Boolean()),
})

/** A recorded request. */
export const RecordedRequest = Type.Object({
  kind: Type.String({ description: '`chat`, `generate` or `embed`.' }),
  messages: Type.Optional(Type.Array(Message)),
  omitted_messages: Type.Optional(
    Type.Integer({ description: 'Messages that were left out after the first one.' }),
  ),
  inputs: Type.Optional(Type.Array(Type.String(), { description: 'The texts of embeddings.' })),
  omitted_inputs: Type.Optional(Type.Integer()),
  tools: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.Optional(Type.String()),
        parameters: Type.Unknown({ description: 'A JSON schema.' }),
      }),
    ),
  ),
  parameters: Type.Record(Type.String(), Type.Unknown()),
})

/** A recorded response. */
export const RecordedResponse = Type.Object({
  choices: Type.Optional(
    Type.Array(
      Type.Object({
        text: Type.String(),
        finish_reason: Type.Union([Type.String(), Type.Null()]),
        thinking: Type.Optional(Type.String()),
        tool_calls: Type.Optional(Type.Array(ToolCall)),
      }),
    ),
  ),
  embeddings: Type.Optional(Type.Object({ count: Type.Integer(), dimensions: Type.Integer() })),
})

/** The recorded content of a call. */
export const RecordedContent = Type.Object(
  {
    request: RecordedRequest,
    response: Type.Union([RecordedResponse, Type.Null()], { description: 'Null where nothing arrived.' }),
    truncated: Type.Boolean({
      description: 'Texts were shortened, or parts left out, to keep the size limits.',
    }),
  },
  { description: 'The recorded prompt and answer, without secrets.' },
)

export type RecordedContent = Static<typeof RecordedContent>
export type RecordedRequest = Static<typeof RecordedRequest>
export type RecordedResponse = Static<typeof RecordedResponse>
export type RecordedMessage = Static<typeof Message>
export type RecordedToolCall = Static<typeof ToolCall>
