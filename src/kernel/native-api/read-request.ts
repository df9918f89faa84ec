import type { ChatMessage, Content, NativeCall, Tool, ToolCall } from './call.ts'
import type { ChatBody, GenerateBody } from './request-fields.ts'

/* Reads checked requests of the native API. `runtime` gets the fields that other protocols do not have. */

type Options = NonNullable<GenerateBody['options']>

/** Reads the body of `generate`. */
export function readGenerate(body: GenerateBody): NativeCall {
  const { model, prompt = '', system, images, format, think, options, stream: _stream, ...runtime } = body
  const messages: ChatMessage[] = [{ role: 'user', content: contentOf(prompt, images) }]
  if (system !== undefined) messages.unshift({ role: 'system', content: system })
  return { model, kind: 'generate', messages, ...settingsOf({ format, think, options, runtime }) }
}

/** Reads the body of `chat`. */
export function readChat(body: ChatBody): NativeCall {
  const { model, messages = [], tools = [], format, think, options, stream: _stream, ...runtime } = body
  return {
    model,
    kind: 'chat',
    messages: toMessages(messages),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...settingsOf({ format, think, options, runtime }),
  }
}

function contentOf(text: string, images: readonly string[] = []): Content {
  if (images.length === 0) return text
  const pictures = images.map((data) => ({ type: 'image' as const, url: imageUrlOf(data) }))
  return text === '' ? pictures : [{ type: 'text', text }, ...pictures]
}

/** The first characters of an image in base64, which show its format. */
const imageStarts = { '/9j/': 'jpeg', iVBORw0KGgo: 'png', R0lGOD: 'gif', UklGR: 'webp' } as const

/** The runtime has images without their format; other providers need it. */
function imageUrlOf(data: string): string {
  if (data.startsWith('data:')) return data
  const known = Object.entries(imageStarts).find(([start]) => data.startsWith(start))
  return `data:image/${known?.[1] ?? 'png'};base64,${data}`
}

type MessageBody = NonNullable<ChatBody['messages']>[number]

/** The runtime needs no ids for tool calls: results follow the calls in their order, or name their tool. */
function toMessages(bodies: readonly MessageBody[]): ChatMessage[] {
  const waiting: ToolCall[] = []

  function takeCallOf({ tool_call_id: id, tool_name: name }: MessageBody): string {
    const known = waiting.findIndex((call) =>
      id === undefined ? name === undefined || call.name === name : call.id === id,
    )
    const [call] = known < 0 ? [] : waiting.splice(known, 1)
    return call?.id ?? id ?? `call_${name ?? 'unknown'}`
  }

  return bodies.map((body, index): ChatMessage => {
    const { role, content = '', images, thinking, tool_calls: calls = [] } = body
    if (role === 'system') return { role, content }
    if (role === 'user') return { role, content: contentOf(content, images) }
    if (role === 'tool') return { role, content: contentOf(content, images), toolCallId: takeCallOf(body) }
    const toolCalls = calls.map((call, position) => toToolCall(call, `call_${index}_${position}`))
    waiting.push(...toolCalls)
    return {
      role,
      content,
      ...(thinking !== undefined && { thinking: [{ text: thinking }] }),
      ...(toolCalls.length > 0 && { toolCalls }),
    }
  })
}

function toToolCall(
  { id, function: { name, arguments: input = {} } }: NonNullable<MessageBody['tool_calls']>[number],
  otherwise: string,
): ToolCall {
  return { id: id === undefined || id === '' ? otherwise : id, name, arguments: JSON.stringify(input) }
}

function toTool({
  function: { name, description, parameters },
}: NonNullable<ChatBody['tools']>[number]): Tool {
  return {
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
  }
}

interface RuntimeSettings {
  readonly format: GenerateBody['format']
  readonly think: GenerateBody['think']
  readonly options: Options | undefined
  readonly runtime: Readonly<Record<string, unknown>>
}

function settingsOf({ format, think, options, runtime }: RuntimeSettings): Partial<NativeCall> {
  const { common, others } = splitOptions(options ?? {})
  const fields = { ...runtime, ...(Object.keys(others).length > 0 && { options: others }) }
  return {
    ...common,
    ...(think !== undefined && { reasoningEffort: effortOf(think) }),
    ...formatOf(format),
    ...(Object.keys(fields).length > 0 && { runtime: fields }),
  }
}

function effortOf(think: NonNullable<GenerateBody['think']>): NativeCall['reasoningEffort'] {
  if (typeof think === 'boolean') return think ? 'medium' : 'none'
  return think === 'max' ? 'xhigh' : think
}

function formatOf(format: GenerateBody['format']): Pick<NativeCall, 'format'> {
  if (format === undefined || format === '') return {}
  return { format: format === 'json' ? {} : { schema: format } }
}

/** Separates the options that most protocols have from those of the runtime alone. */
function splitOptions(options: Options) {
  const { temperature, top_p, top_k, min_p, stop, presence_penalty, frequency_penalty, ...rest } = options
  const { num_predict, seed, ...others } = rest
  // Lower numbers have a special meaning in the runtime: unlimited, as long as the context, a random seed, no such limit.
  const maxTokens = num_predict !== undefined && num_predict >= 1 ? num_predict : undefined
  const fixedSeed = seed !== undefined && seed >= 0 ? seed : undefined
  return {
    common: {
      temperature,
      topP: top_p,
      topK: top_k !== undefined && top_k >= 1 ? top_k : undefined,
      minP: min_p === 0 ? undefined : min_p,
      stop,
      presencePenalty: presence_penalty,
      frequencyPenalty: frequency_penalty,
      maxTokens,
      seed: fixedSeed,
    },
    others: {
      ...others,
      ...(num_predict !== undefined && maxTokens === undefined && { num_predict }),
      ...(seed !== undefined && fixedSeed === undefined && { seed }),
    },
  }
}
