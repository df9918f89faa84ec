import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { partsOf } from './content.ts'
import type {
  ChatMessage,
  Content,
  ContentPart,
  JsonSchema,
  ModelCall,
  Tool,
  ToolChoice,
} from './provider.ts'

type SdkMessage = LanguageModelV4Prompt[number]

/** Converts a call to options of the SDK. */
export function sdkCallOf(call: ModelCall, abortSignal: AbortSignal): LanguageModelV4CallOptions {
  const { maxTokens, temperature, topP, topK, frequencyPenalty, presencePenalty, seed, stop, format } = call
  const { tools, toolChoice, reasoningEffort } = call
  return {
    prompt: sdkPromptOf(call.messages),
    abortSignal,
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && stop.length > 0 && { stopSequences: [...stop] }),
    ...(format !== undefined && { responseFormat: responseFormatOf(format) }),
    ...(tools !== undefined && tools.length > 0 && { tools: tools.map(sdkToolOf) }),
    ...(toolChoice !== undefined && { toolChoice: sdkToolChoiceOf(toolChoice) }),
    ...(reasoningEffort !== undefined && { reasoning: reasoningEffort }),
  }
}

/** Converts messages. The SDK wants the name of the tool with a result, which is that of the call before it. */
function sdkPromptOf(messages: readonly ChatMessage[]): LanguageModelV4Prompt {
  const toolNames = new Map<string, string>()
  const prompt: SdkMessage[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const { id, name } of message.toolCalls ?? []) toolNames.set(id, name)
    }
    const converted = sdkMessageOf(message, toolNames)
    const last = prompt.at(-1)
    // Results of parallel calls belong to one message.
    if (converted.role === 'tool' && last?.role === 'tool') last.content.push(...converted.content)
    else prompt.push(converted)
  }
  return prompt
}

function sdkMessageOf(message: ChatMessage, toolNames: ReadonlyMap<string, string>): SdkMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: partsOf(message.content).map(sdkPartOf) }
    case 'assistant':
      return { role: 'assistant', content: assistantPartsOf(message) }
    default:
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.toolCallId,
            toolName: toolNames.get(message.toolCallId) ?? 'unknown',
            output: toolOutputOf(message.content, message.isError === true),
          },
        ],
      }
  }
}

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>
type AssistantParts = Extract<SdkMessage, { role: 'assistant' }>['content']

function assistantPartsOf({ content, thinking = [], toolCalls = [] }: AssistantMessage): AssistantParts {
  return [
    ...thinking.map(({ text, signature }) => ({
      type: 'reasoning' as const,
      text,
      ...(signature !== undefined && { providerOptions: { anthropic: { signature } } }),
    })),
    ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: parseArguments(input),
    })),
  ]
}

/** Invalid arguments, which a model may have written, are sent as text: the model sees its own mistake. */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function sdkPartOf(part: ContentPart): { type: 'text'; text: string } | LanguageModelV4FilePart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return {
        ...fileOf(part.url, 'image'),
        ...(part.detail !== undefined && { providerOptions: { openai: { imageDetail: part.detail } } }),
      }
    case 'audio':
      return {
        type: 'file',
        mediaType: audioTypes[part.format] ?? `audio/${part.format}`,
        data: { type: 'data', data: part.data },
      }
    default:
      return {
        ...fileOf(part.url, 'application'),
        ...(part.filename !== undefined && { filename: part.filename }),
      }
  }
}

const audioTypes: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav' }

const dataUrl = /^data:([^;,]+)(?:;[^,]*)?;base64,/i

function fileOf(url: string, kind: string): LanguageModelV4FilePart {
  const [prefix, mediaType] = dataUrl.exec(url) ?? []
  if (prefix === undefined || mediaType === undefined) {
    return { type: 'file', mediaType: kind, data: { type: 'url', url: new URL(url) } }
  }
  return { type: 'file', mediaType, data: { type: 'data', data: url.slice(prefix.length) } }
}

function toolOutputOf(content: Content, isError: boolean): LanguageModelV4ToolResultOutput {
  if (typeof content === 'string') return { type: isError ? 'error-text' : 'text', value: content }
  return { type: 'content', value: content.map(sdkPartOf) }
}

function sdkToolOf({ name, description, parameters, strict }: Tool) {
  return {
    type: 'function' as const,
    name,
    inputSchema: parameters as JSONSchema7,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  }
}

function sdkToolChoiceOf(choice: ToolChoice): NonNullable<LanguageModelV4CallOptions['toolChoice']> {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name }
}

function responseFormatOf({ schema }: { readonly schema?: JsonSchema | undefined }) {
  return schema === undefined
    ? { type: 'json' as const }
    : { type: 'json' as const, schema: schema as JSONSchema7 }
}
