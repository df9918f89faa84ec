import type { ChatMessage, Content, ContentPart, EmbedCall, ModelCall } from '../providers/provider.ts'
import type { RecordedMessage, RecordedRequest, RecordedToolCall } from './content.ts'
import { base64Bytes, type ContentWriter, createContentWriter, describeMedia } from './content-writer.ts'

/** A request as it is recorded. */
export interface DescribedRequest {
  readonly content: RecordedRequest
  readonly truncated: boolean
}

const messageBounds = { maxCharacters: 98_304, maxTextLength: 32_768 }
/** Tools and parameters have bounds of their own, so that a long conversation does not displace them. */
const parameterBounds = { maxCharacters: 32_768, maxTextLength: 8192 }
const maxMessages = 500
const maxTools = 128

/** Describes a request for its record. A long conversation keeps its first message and its last ones. */
export async function describeChat(call: ModelCall): Promise<DescribedRequest> {
  const ofMessages = createContentWriter(messageBounds)
  const ofParameters = createContentWriter(parameterBounds)
  const { messages, omitted } = await describeMessages(ofMessages, call.messages)
  const tools = await describeTools(ofParameters, call.tools ?? [])
  const parameters = await ofParameters.fields(parametersOf(call))
  return {
    content: {
      kind: call.kind,
      messages,
      ...(omitted > 0 && { omitted_messages: omitted }),
      ...(tools.length > 0 && { tools }),
      parameters,
    },
    truncated: ofMessages.isTruncated() || ofParameters.isTruncated(),
  }
}

/** Describes an embedding request for its record. */
export async function describeEmbed({ inputs, dimensions }: EmbedCall): Promise<DescribedRequest> {
  const writer = createContentWriter(messageBounds)
  const kept: string[] = []
  for (const input of inputs.slice(0, maxMessages)) {
    if (writer.isFull()) break
    kept.push(await writer.text(input))
  }
  const omitted = inputs.length - kept.length
  return {
    content: {
      kind: 'embed',
      inputs: kept,
      ...(omitted > 0 && { omitted_inputs: omitted }),
      parameters: { ...(dimensions !== undefined && { dimensions }) },
    },
    truncated: omitted > 0 || writer.isTruncated(),
  }
}

async function describeMessages(
  writer: ContentWriter,
  messages: readonly ChatMessage[],
): Promise<{ readonly messages: RecordedMessage[]; readonly omitted: number }> {
  const [first, ...others] = messages
  if (first === undefined) return { messages: [], omitted: 0 }
  const start = await describeMessage(writer, first)
  const end: RecordedMessage[] = []
  for (const message of others.toReversed().slice(0, maxMessages)) {
    if (writer.isFull()) break
    end.unshift(await describeMessage(writer, message))
  }
  const omitted = others.length - end.length
  if (omitted > 0) writer.leaveOut()
  return { messages: [start, ...end], omitted }
}

async function describeMessage(writer: ContentWriter, message: ChatMessage): Promise<RecordedMessage> {
  const { role, content } = message
  const described: RecordedMessage = { role, content: await describeContent(writer, content) }
  if ('name' in message && message.name !== undefined) described.name = await writer.text(message.name)
  if (message.role === 'tool') {
    described.tool_call_id = await writer.text(message.toolCallId)
    if (message.isError === true) described.is_error = true
  }
  if (message.role !== 'assistant') return described
  const thinking: string[] = []
  for (const { text } of message.thinking ?? []) thinking.push(await writer.text(text))
  if (thinking.length > 0) described.thinking = thinking.join('\n\n')
  const toolCalls: RecordedToolCall[] = []
  for (const { id, name, arguments: text } of message.toolCalls ?? []) {
    toolCalls.push({
      id: await writer.text(id),
      name: await writer.text(name),
      arguments: await writer.text(text),
    })
  }
  if (toolCalls.length > 0) described.tool_calls = toolCalls
  return described
}

type RecordedPart = Exclude<RecordedMessage['content'], string>[number]

async function describeContent(writer: ContentWriter, content: Content): Promise<RecordedMessage['content']> {
  if (typeof content === 'string') return writer.text(content)
  const parts: RecordedPart[] = []
  for (const part of content) parts.push(await describePart(writer, part))
  return parts
}

/** Media are described by their type and size. */
async function describePart(writer: ContentWriter, part: ContentPart): Promise<RecordedPart> {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: await writer.text(part.text) }
    case 'audio':
      return {
        type: 'audio',
        media: `[audio/${await writer.text(part.format)}, ${base64Bytes(part.data)} bytes]`,
      }
    case 'image':
      return { type: 'image', media: await describeUrl(writer, part.url) }
    default:
      return {
        type: 'file',
        media: await describeUrl(writer, part.url),
        ...(part.filename !== undefined && { filename: await writer.text(part.filename) }),
      }
  }
}

/** The query of an address is left out: it may contain a signature. */
async function describeUrl(writer: ContentWriter, url: string): Promise<string> {
  return describeMedia(url) ?? (await writer.text(url.replace(/[?#].*$/s, '')))
}

async function describeTools(
  writer: ContentWriter,
  tools: NonNullable<ModelCall['tools']>,
): Promise<NonNullable<RecordedRequest['tools']>> {
  const kept: NonNullable<RecordedRequest['tools']> = []
  for (const { name, description, parameters } of tools.slice(0, maxTools)) {
    if (writer.isFull()) break
    kept.push({
      name: await writer.text(name),
      ...(description !== undefined && { description: await writer.text(description) }),
      parameters: await writer.value(parameters),
    })
  }
  if (kept.length < tools.length) writer.leaveOut()
  return kept
}

/** The options of a call that are set, with the names of the OpenAI API. */
function parametersOf(call: ModelCall): Readonly<Record<string, unknown>> {
  const { original, runtime } = call
  const native = (original?.nativeFields ?? []).flatMap((field) =>
    typeof field === 'string' ? [[field, original?.body[field]] as const] : [],
  )
  const given = {
    max_tokens: call.maxTokens,
    temperature: call.temperature,
    top_p: call.topP,
    top_k: call.topK,
    min_p: call.minP,
    seed: call.seed,
    stop: call.stop,
    frequency_penalty: call.frequencyPenalty,
    presence_penalty: call.presencePenalty,
    n: call.choices,
    tool_choice: call.toolChoice,
    parallel_tool_calls: call.parallelToolCalls,
    reasoning_effort: call.reasoningEffort,
    response_format: call.format,
    ...runtime,
    ...Object.fromEntries(native),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
