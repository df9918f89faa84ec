import { modelsFailure } from '../../errors.ts'
import { outputOf } from '../../providers/content.ts'
import type { FinishReason, TranslatedPart } from '../../providers/provider.ts'
import type { Item } from '../../stored-responses/stored-responses.ts'
import { type CustomInputReader, createCustomInputReader, readCustomInput } from './custom-input.ts'
import { writeSignature } from './items.ts'
import { isComplete } from './response-object.ts'
import { type TranslatedTools, translateTools } from './tools.ts'

/** An event of a streamed response, without its sequence number. */
export interface ResponseEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** The output of a response, from its parts. */
export interface Output {
  /** Adds a part and returns its events. Throws `answer_broke_off` for a response that is too large. */
  add(part: Exclude<TranslatedPart, { type: 'end' }>): readonly ResponseEvent[]
  /** Ends the last items and returns their events. */
  end(finish: FinishReason): readonly ResponseEvent[]
  /** The items so far; without the events of their end, those that are open are missing. */
  items(): readonly Item[]
}

/** More than any model generates; a longer response would not end by itself. */
const maxCharacters = 16 * 1024 * 1024

interface CallFields {
  readonly call_id: string
  readonly name: string
  readonly namespace?: string
}

/** An item that is not complete yet. */
interface OpenItem {
  readonly kind: 'message' | 'reasoning' | 'function_call' | 'custom_tool_call'
  readonly id: string
  readonly index: number
  /** Of a tool call. */
  readonly call?: CallFields
  /** Reads the input of a custom tool from its arguments. */
  readonly input?: CustomInputReader
  /** For a tool call, its arguments. */
  text: string
  /** The input of a custom tool as far as it was sent. */
  sent: string
}

/**
 * Converts parts to output items and events. An item is added, filled and done before the next, except tool calls: a model may
 * write the arguments of several calls alternately.
 *
 * | open items       | part              | events                                                                  |
 * |------------------|-------------------|-------------------------------------------------------------------------|
 * | message          | text              | delta                                                                   |
 * | others, none     | text              | end of the others, `output_item.added`, `content_part.added`, delta     |
 * | reasoning        | thinking          | delta                                                                   |
 * | others, none     | thinking          | end of the others, `output_item.added`, `reasoning_summary_part.added`, delta |
 * | reasoning        | end of thinking   | end of the reasoning, with its signature                                |
 * | tool calls       | tool call         | `output_item.added`                                                     |
 * | others, none     | tool call         | end of the others, `output_item.added`                                  |
 * | tool calls       | arguments         | delta of their call: the arguments, or the input of a custom tool       |
 * | any              | end               | end of all                                                              |
 */
export function createOutput(
  callId: string,
  tools: Pick<TranslatedTools, 'referenceOf'> = translateTools(),
): Output {
  const done: Item[] = []
  const calls = new Map<number, OpenItem>()
  let open: OpenItem[] = []
  let count = 0
  let characters = 0

  function start(kind: OpenItem['kind'], call?: CallFields): OpenItem {
    const index = count
    count += 1
    const item: OpenItem = {
      kind,
      id: `${prefixes[kind]}_${callId}_${index}`,
      index,
      text: '',
      sent: '',
      ...(call && { call }),
      ...(kind === 'custom_tool_call' && { input: createCustomInputReader() }),
    }
    open.push(item)
    return item
  }

  function endAll(status: string, signature?: string): readonly ResponseEvent[] {
    const ending = open
    open = []
    calls.clear()
    return ending.flatMap((item) => {
      done[item.index] = doneItem(item, status, signature)
      return endEvents(item, done[item.index])
    })
  }

  /** The open item of this kind, with the events of its start when it is new. */
  function openItem(kind: 'message' | 'reasoning'): { item: OpenItem; events: readonly ResponseEvent[] } {
    const [current] = open
    if (current?.kind === kind) return { item: current, events: [] }
    const ended = endAll('completed')
    const item = start(kind)
    return { item, events: [...ended, ...startEvents(item)] }
  }

  function addText(kind: 'message' | 'reasoning', text: string): readonly ResponseEvent[] {
    const { item, events } = openItem(kind)
    item.text += text
    const delta =
      kind === 'message'
        ? { type: 'response.output_text.delta', ...at(item), content_index: 0, delta: text, logprobs: [] }
        : { type: 'response.reasoning_summary_text.delta', ...at(item), summary_index: 0, delta: text }
    return [...events, delta]
  }

  return {
    add(part) {
      characters += outputOf(part).length
      if (characters > maxCharacters) {
        throw modelsFailure('answer_broke_off', {
          message: 'The response is too large. Lower max_output_tokens.',
        })
      }
      switch (part.type) {
        case 'text':
          return addText('message', part.text)
        case 'thinking':
          return addText('reasoning', part.text)
        case 'thinking_end':
          return open[0]?.kind === 'reasoning' ? endAll('completed', part.signature) : []
        case 'tool_call': {
          const ended = open[0]?.call === undefined ? endAll('completed') : []
          const { kind, name, namespace } = tools.referenceOf(part.name)
          const fields = { call_id: part.id, name, ...(namespace !== undefined && { namespace }) }
          const item = start(kind === 'custom' ? 'custom_tool_call' : 'function_call', fields)
          calls.set(part.index, item)
          return [...ended, ...startEvents(item)]
        }
        default: {
          const item = calls.get(part.index)
          if (item === undefined) return []
          item.text += part.text
          if (item.input !== undefined) return inputDelta(item, item.input.add(part.text))
          return [{ type: 'response.function_call_arguments.delta', ...at(item), delta: part.text }]
        }
      }
    },
    end: (finish) => endAll(isComplete(finish) ? 'completed' : 'incomplete'),
    items: () => done,
  }
}

const prefixes = { message: 'msg', reasoning: 'rs', function_call: 'fc', custom_tool_call: 'ctc' } as const

const at = ({ id, index }: OpenItem) => ({ item_id: id, output_index: index })

function inputDelta(item: OpenItem, delta: string): readonly ResponseEvent[] {
  if (delta === '') return []
  item.sent += delta
  return [{ type: 'response.custom_tool_call_input.delta', ...at(item), delta }]
}

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const summaryPart = (text: string) => ({ type: 'summary_text', text })

function startEvents(item: OpenItem): readonly ResponseEvent[] {
  const { kind, id, index, call } = item
  const added = (fields: object) => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { id, type: kind, ...fields },
  })
  switch (kind) {
    case 'message':
      return [
        added({ status: 'in_progress', role: 'assistant', content: [] }),
        { type: 'response.content_part.added', ...at(item), content_index: 0, part: textPart('') },
      ]
    case 'reasoning':
      return [
        added({ summary: [] }),
        {
          type: 'response.reasoning_summary_part.added',
          ...at(item),
          summary_index: 0,
          part: summaryPart(''),
        },
      ]
    case 'custom_tool_call':
      return [added({ status: 'in_progress', ...call, input: '' })]
    default:
      return [added({ status: 'in_progress', ...call, arguments: '' })]
  }
}

function doneItem({ kind, id, call, text }: OpenItem, status: string, signature?: string): Item {
  switch (kind) {
    case 'message':
      return { id, type: kind, status, role: 'assistant', content: [textPart(text)] }
    case 'reasoning':
      return {
        id,
        type: kind,
        summary: [summaryPart(text)],
        ...(signature !== undefined && { encrypted_content: writeSignature(signature) }),
      }
    case 'custom_tool_call':
      return { id, type: kind, status, ...call, input: readCustomInput(text) }
    default:
      return { id, type: kind, status, ...call, arguments: text }
  }
}

function endEvents(item: OpenItem, whole: Item | undefined): readonly ResponseEvent[] {
  const { kind, index, text } = item
  const done = { type: 'response.output_item.done', output_index: index, item: whole }
  switch (kind) {
    case 'message': {
      const where = { ...at(item), content_index: 0 }
      return [
        { type: 'response.output_text.done', ...where, text, logprobs: [] },
        { type: 'response.content_part.done', ...where, part: textPart(text) },
        done,
      ]
    }
    case 'reasoning': {
      const where = { ...at(item), summary_index: 0 }
      return [
        { type: 'response.reasoning_summary_text.done', ...where, text },
        { type: 'response.reasoning_summary_part.done', ...where, part: summaryPart(text) },
        done,
      ]
    }
    case 'custom_tool_call': {
      const input = readCustomInput(text)
      // The rest of arguments that are not as expected, such as plain text.
      const rest = input.startsWith(item.sent) ? input.slice(item.sent.length) : ''
      return [
        ...inputDelta(item, rest),
        { type: 'response.custom_tool_call_input.done', ...at(item), input },
        done,
      ]
    }
    default:
      return [{ type: 'response.function_call_arguments.done', ...at(item), arguments: text }, done]
  }
}
