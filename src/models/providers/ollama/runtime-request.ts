import { partsOf, textOf } from '../content.ts'
import type { ChatMessage, Content, EmbedCall, ModelCall, OriginalRequest, ToolCall } from '../provider.ts'
import { unsupportedBy } from '../unsupported-options.ts'
import { forcedToolOf, instructionFor } from './forced-tool.ts'

type Fields = Readonly<Record<string, unknown>>

/** Converts a call to a request of the model runtime, which is always streamed. */
export function runtimeRequestOf(call: ModelCall): {
  readonly operation: 'generate' | 'chat'
  readonly body: Fields
} {
  const { model, kind, runtime = {} } = call
  const forced = forcedToolOf(call)
  const format = forced === undefined ? call.format : { schema: forced.parameters }
  const instruction = forced === undefined ? [] : [{ role: 'system', content: instructionFor(forced) }]
  const options = { ...fieldsOf(runtime['options']), ...optionsOf(call) }
  return {
    operation: kind,
    body: {
      ...runtime,
      ...(kind === 'generate'
        ? promptOf(call.messages)
        : {
            messages: [...instruction, ...runtimeMessagesOf(call.messages)],
            ...(forced === undefined && toolFieldsOf(call)),
          }),
      ...thinkOf(call),
      model,
      stream: true,
      ...(format !== undefined && { format: format.schema ?? 'json' }),
      ...(Object.keys(options).length > 0 && { options }),
    },
  }
}

/** The original body with the model and the token limit of the call. */
export function forwardedBodyOf(
  { model, maxTokens }: ModelCall,
  { body, stream }: Pick<OriginalRequest, 'body' | 'stream'>,
): Fields {
  return {
    ...body,
    model,
    stream,
    ...(maxTokens !== undefined && { options: { ...fieldsOf(body['options']), num_predict: maxTokens } }),
  }
}

export function runtimeEmbedOf({ model, inputs, dimensions }: EmbedCall): Fields {
  return { model, input: inputs, ...(dimensions !== undefined && { dimensions }) }
}

function optionsOf(call: ModelCall): Fields {
  const { maxTokens, temperature, topP, topK, minP, seed, stop, frequencyPenalty, presencePenalty } = call
  return {
    ...(maxTokens !== undefined && { num_predict: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
    ...(minP !== undefined && { min_p: minP }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && stop.length > 0 && { stop }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty !== undefined && { presence_penalty: presencePenalty }),
  }
}

function promptOf(messages: readonly ChatMessage[]): Fields {
  const prompts = messages.filter(({ role }) => role !== 'system')
  if (prompts.length > 1 || prompts.some(({ role }) => role !== 'user')) {
    throw unsupportedBy('A model of the cluster', 'generate completes a single prompt, not a conversation')
  }
  const systems = messages.flatMap(({ role, content }) => (role === 'system' ? textOf(content) : []))
  const content = prompts[0]?.content ?? ''
  const images = imagesOf(content)
  return {
    prompt: textOf(content),
    ...(images.length > 0 && { images }),
    ...(systems.length > 0 && { system: systems.join('\n\n') }),
  }
}

function runtimeMessagesOf(messages: readonly ChatMessage[]): readonly Fields[] {
  const toolNames = new Map<string, string>()
  return messages.map((message) => runtimeMessageOf(message, toolNames))
}

/** Results name their tool, which is that of the call before them. */
function runtimeMessageOf(message: ChatMessage, toolNames: Map<string, string>): Fields {
  const { role } = message
  const images = imagesOf(message.content)
  const fields = { role, content: textOf(message.content), ...(images.length > 0 && { images }) }
  if (message.role === 'tool') {
    const name = toolNames.get(message.toolCallId)
    return { ...fields, tool_call_id: message.toolCallId, ...(name !== undefined && { tool_name: name }) }
  }
  if (message.role !== 'assistant') return fields
  const { toolCalls = [], thinking = [] } = message
  for (const { id, name } of toolCalls) toolNames.set(id, name)
  return {
    ...fields,
    ...(thinking.length > 0 && { thinking: thinking.map(({ text }) => text).join('\n\n') }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(runtimeToolCallOf) }),
  }
}

function runtimeToolCallOf({ id, name, arguments: text }: ToolCall): Fields {
  return { id, function: { name, arguments: fieldsOf(parseJson(text)) } }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toolFieldsOf({ tools = [], toolChoice }: ModelCall): Fields {
  if (tools.length === 0 || toolChoice === 'none') return {}
  if (toolChoice === 'required' || typeof toolChoice === 'object') {
    throw unsupportedBy('A model of the cluster', 'only a single tool can be required (`tool_choice`)')
  }
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, ...(description !== undefined && { description }), parameters },
    })),
  }
}

const thinkLevels = {
  none: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
} as const

function thinkOf({ reasoningEffort }: ModelCall): Fields {
  return reasoningEffort === undefined ? {} : { think: thinkLevels[reasoningEffort] }
}

/** The images of a content in base64. Nodes load no images from the web. */
function imagesOf(content: Content): readonly string[] {
  return partsOf(content).flatMap((part) => {
    if (part.type === 'text') return []
    const data = part.type === 'image' ? /^data:[^,]*;base64,(.*)$/s.exec(part.url)?.[1] : undefined
    if (data !== undefined) return data
    const why =
      part.type === 'image' ? 'an image must be a data URL in base64' : `it has no ${part.type} input`
    throw unsupportedBy('A model of the cluster', why)
  })
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
