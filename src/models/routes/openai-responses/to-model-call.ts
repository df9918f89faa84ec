import { kernelFailure } from '#kernel/errors'
import type {
  ChatMessage,
  Content,
  ContentPart,
  JsonSchema,
  ModelCall,
  Thinking,
  ToolCall,
} from '../../providers/provider.ts'
import type { Item } from '../../stored-responses/stored-responses.ts'
import type { Conversation } from './conversation.ts'
import { writeCustomInput } from './custom-input.ts'
import { findItemProblems, isKnownItem, isKnownPart, type KnownItem, readSignature } from './items.ts'
import type { ResponsesRequestBody } from './request.ts'
import { type ToolReference, type TranslatedTools, translateTools } from './tools.ts'

/** Converts the body of `/v1/responses`. Throws `invalid_input` for contradictory fields and items. */
export function responsesCall(
  body: ResponsesRequestBody,
  conversation: Conversation,
  tools: TranslatedTools = translateTools(body.tools),
): ModelCall {
  const { model, instructions } = body
  return {
    model,
    kind: 'chat',
    messages: [
      ...(instructions === undefined || instructions === ''
        ? []
        : [{ role: 'system' as const, content: instructions }]),
      ...messagesOf(conversation, tools),
    ],
    maxTokens: body.max_output_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    reasoningEffort: body.reasoning?.effort,
    ...toolsOf(body, tools),
    ...formatOf(body.text?.format),
  }
}

/** The schema that output without streaming must satisfy; undefined without a strict schema. */
export function strictSchemaOf(body: ResponsesRequestBody, call: ModelCall): JsonSchema | undefined {
  // With tools a response may be a tool call instead, so the provider alone checks the schema.
  if (call.tools !== undefined) return undefined
  return body.text?.format?.strict === false ? undefined : call.format?.schema
}

/** The items of one turn of the assistant, which are one message in the format independent of providers. */
interface Turn {
  readonly texts: string[]
  readonly thinking: Thinking[]
  readonly toolCalls: ToolCall[]
}

/** Converts items to messages. Throws `invalid_input` for a tool result without its call, and a call without its result. */
function messagesOf({ earlier, own }: Conversation, tools: TranslatedTools): readonly ChatMessage[] {
  const messages: ChatMessage[] = []
  const unanswered = new Set<string>()
  let turn: Turn | undefined

  function closeTurn(): void {
    if (turn !== undefined) messages.push(assistantMessage(turn))
    turn = undefined
  }

  function add(item: KnownItem, path: string): void {
    const isAssistant = item.type === 'message' && item.role === 'assistant'
    if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      turn ??= { texts: [], thinking: [], toolCalls: [] }
      turn.toolCalls.push(toolCallOf(item, tools))
      unanswered.add(item.call_id)
      return
    }
    if (isAssistant || item.type === 'reasoning') {
      turn ??= { texts: [], thinking: [], toolCalls: [] }
      addToTurn(turn, item, path)
      return
    }
    closeTurn()
    if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
      const { call_id: toolCallId, output } = item
      if (!unanswered.delete(toolCallId)) {
        throw invalid(`${path}.call_id`, `is "${toolCallId}", which no call before it has`)
      }
      messages.push({ role: 'tool', toolCallId, content: contentOf(output, `${path}.output`) })
    } else if (item.type === 'message') {
      messages.push(messageOf(item, path))
    }
  }

  for (const item of earlier) if (isTranslatable(item)) add(item, 'previous_response_id')
  for (const [index, item] of own.entries()) if (isTranslatable(item)) add(item, `input[${index}]`)
  closeTurn()
  const [missing] = unanswered
  if (missing !== undefined) throw invalid('input', `has no output for the call "${missing}"`)
  return messages
}

/** Output of a provider may have items that only this provider understands, such as its searches. They are left out. */
function isTranslatable(item: Item): item is KnownItem & Item {
  return isKnownItem(item) && findItemProblems(item, '').length === 0
}

type CallItem = Extract<KnownItem, { type: 'function_call' | 'custom_tool_call' }>

function toolCallOf(item: CallItem, tools: TranslatedTools): ToolCall {
  const { call_id: id, name } = item
  const namespace = item.namespace ?? undefined
  return item.type === 'function_call'
    ? { id, name: tools.functionNameOf({ kind: 'function', name, namespace }), arguments: item.arguments }
    : {
        id,
        name: tools.functionNameOf({ kind: 'custom', name, namespace }),
        arguments: writeCustomInput(item.input),
      }
}

type TurnItem = Extract<KnownItem, { type: 'message' | 'reasoning' }>

function addToTurn(turn: Turn, item: TurnItem, path: string): void {
  switch (item.type) {
    case 'message':
      turn.texts.push(textContentOf(item.content, `${path}.content`))
      break
    case 'reasoning': {
      // Models read their reasoning again only where it is signed.
      const signature = readSignature(item.encrypted_content)
      const pieces = item.content ?? item.summary ?? []
      if (signature === undefined) break
      turn.thinking.push({ text: pieces.map(({ text }) => text).join('\n\n'), signature })
    }
  }
}

function assistantMessage({ texts, thinking, toolCalls }: Turn): ChatMessage {
  return {
    role: 'assistant',
    content: texts.join('\n'),
    ...(thinking.length > 0 && { thinking }),
    ...(toolCalls.length > 0 && { toolCalls }),
  }
}

function messageOf({ role, content }: Extract<KnownItem, { type: 'message' }>, path: string): ChatMessage {
  if (role === 'user') return { role, content: contentOf(content, `${path}.content`) }
  return { role: 'system', content: textContentOf(content, `${path}.content`) }
}

type ContentBody = string | readonly Item[]

/** The text of a message that may have nothing else. */
function textContentOf(content: ContentBody, path: string): string {
  if (typeof content === 'string') return content
  return content
    .flatMap((part, index) => {
      if (!isKnownPart(part)) return []
      if (part.type === 'input_text' || part.type === 'output_text') return part.text
      if (part.type === 'refusal') return part.refusal
      throw invalid(
        `${path}[${index}].type`,
        'must be a text: only user messages and tool results have media',
      )
    })
    .join('\n')
}

function contentOf(content: ContentBody, path: string): Content {
  if (typeof content === 'string') return content
  const parts = content.flatMap((part, index) => partOf(part, `${path}[${index}]`))
  // A text is the common case, which every provider and the cache handle fastest.
  return parts.every((part) => part.type === 'text') ? parts.map(({ text }) => text).join('\n') : parts
}

/** Media at a provider are left out: only this provider gets the request, as it is. */
function partOf(part: Item, path: string): readonly ContentPart[] {
  if (!isKnownPart(part)) return []
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return [{ type: 'text', text: part.text }]
    case 'input_image': {
      const { image_url: url, detail } = part
      // `original` is the most that other providers have.
      const known = detail === 'original' ? 'high' : (detail ?? undefined)
      return typeof url === 'string' ? [{ type: 'image', url, detail: known }] : []
    }
    case 'input_file': {
      const url = part.file_data ?? part.file_url
      return typeof url === 'string' ? [{ type: 'file', url, filename: part.filename ?? undefined }] : []
    }
    case 'input_audio':
      return [{ type: 'audio', data: part.input_audio.data, format: part.input_audio.format }]
    default:
      throw invalid(`${path}.type`, 'refusal belongs to messages of the role assistant')
  }
}

function toolsOf(body: ResponsesRequestBody, { definitions }: TranslatedTools): Partial<ModelCall> {
  const { tools = [], tool_choice: choice, parallel_tool_calls: parallel } = body
  if (tools.length === 0) {
    if (typeof choice === 'object' || choice === 'required') throw invalid('tool_choice', 'needs tools')
    return {}
  }
  const { chosen, toolChoice } = choiceOf(choice)
  const unknown = chosen?.find((one) => !definitions.some(({ reference }) => isChosen(reference, one)))
  if (unknown !== undefined) throw invalid('tool_choice', `has "${unknown.name}", which is no name of a tool`)
  const found =
    chosen && definitions.filter(({ reference }) => chosen.some((one) => isChosen(reference, one)))
  const offered = found === undefined || toolChoice === 'named' ? definitions : found
  if (offered.length === 0) return {}
  return {
    tools: offered.map(({ reference: _reference, ...definition }) => definition),
    toolChoice: toolChoice === 'named' ? { name: found?.[0]?.name ?? '' } : toolChoice,
    parallelToolCalls: parallel,
  }
}

/** A tool that a choice names, or all tools of a namespace. */
interface ChosenTool {
  readonly kind: 'function' | 'custom' | 'namespace'
  readonly name: string
  readonly namespace?: unknown
}

function isChosen({ kind, name, namespace }: ToolReference, chosen: ChosenTool): boolean {
  if (chosen.kind === 'namespace') return namespace === chosen.name
  const isSame = kind === chosen.kind && name === chosen.name
  return isSame && (typeof chosen.namespace !== 'string' || namespace === chosen.namespace)
}

interface Choice {
  /** The tools that the model may call; undefined when it may call all of them. */
  readonly chosen: readonly ChosenTool[] | undefined
  readonly toolChoice: 'none' | 'auto' | 'required' | 'named' | undefined
}

function choiceOf(choice: ResponsesRequestBody['tool_choice']): Choice {
  if (typeof choice !== 'object') return { chosen: undefined, toolChoice: choice }
  if (choice.type === 'function' || choice.type === 'custom') {
    const { type: kind, name, namespace } = choice
    if (typeof name !== 'string') throw invalid('tool_choice.name', 'is required', 'required')
    return { chosen: [{ kind, name, namespace }], toolChoice: 'named' }
  }
  // Other types are tools of a provider, which gets the request as it is.
  if (choice.type !== 'allowed_tools') return { chosen: undefined, toolChoice: undefined }
  const { mode = 'auto', tools } = choice
  if (mode !== 'auto' && mode !== 'required')
    throw invalid('tool_choice.mode', 'must be auto or required', 'enum')
  if (!Array.isArray(tools) || tools.length === 0) {
    throw invalid('tool_choice.tools', 'must have the tools that the model may call', 'required')
  }
  return { chosen: tools.flatMap(chosenToolOf), toolChoice: mode }
}

function chosenToolOf(tool: Partial<Item> | null): readonly ChosenTool[] {
  const { type, name, namespace } = tool ?? {}
  const isKnown = type === 'function' || type === 'custom' || type === 'namespace'
  return isKnown && typeof name === 'string' ? [{ kind: type, name, namespace }] : []
}

function formatOf(format: NonNullable<ResponsesRequestBody['text']>['format']): Pick<ModelCall, 'format'> {
  if (format === undefined || format.type === 'text') return {}
  if (format.type === 'json_object') return { format: {} }
  const { name, description, schema } = format
  if (name === undefined) throw invalid('text.format.name', 'is required', 'required')
  if (schema === undefined) throw invalid('text.format.schema', 'is required', 'required')
  // The model reads name and description, unless the schema has a title and a description itself.
  return { format: { schema: { title: name, ...(description !== undefined && { description }), ...schema } } }
}

function invalid(path: string, message: string, code = 'contradiction') {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code }],
  })
}
