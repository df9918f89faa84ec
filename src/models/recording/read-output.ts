import type { Protocol } from '../providers/protocols.ts'

/** One response of a model, as it is recorded. */
export interface OutputChoice {
  text: string
  thinking: string
  toolCalls: { id: string; name: string; arguments: string }[]
  finish: string | null
}

export function emptyChoice(): OutputChoice {
  return { text: '', thinking: '', toolCalls: [], finish: null }
}

type Fields = Readonly<Record<string, unknown>>

/** More choices and tool calls are not read. */
const maxIndex = 127

/**
 * Reads a response in the protocol of the caller: a body, or server-sent events or lines of JSON up to the last complete one. A
 * response that cannot be read is returned as one text.
 */
export function readRawOutput(protocol: Protocol, bytes: Buffer): readonly OutputChoice[] {
  const source = bytes.toString('utf8')
  const choices: OutputChoice[] = []
  for (const body of objectsOf(source)) readers[protocol](body, choices)
  return choices.length > 0 ? choices : [{ ...emptyChoice(), text: source }]
}

/** Adds what a body or an event contains to the choices. */
type OutputReader = (body: Fields, choices: OutputChoice[]) => void

const readers: Readonly<Record<Protocol, OutputReader>> = {
  'openai.chat': readOpenAi,
  'openai.completions': readOpenAi,
  'openai.responses': readResponse,
  'anthropic.messages': readAnthropic,
  'ollama.chat': readRuntime,
  'ollama.generate': readRuntime,
}

/** The body, or the objects in the events or lines of a stream. */
function objectsOf(source: string): readonly Fields[] {
  const isJson = source.trimStart().startsWith('{')
  const whole = isJson ? parseObject(source) : undefined
  if (whole !== undefined) return [whole]
  const pieces = isJson ? source.split('\n') : dataOfEvents(source)
  return pieces.map(parseObject).filter((piece) => piece !== undefined)
}

/** The data of each complete event. */
function dataOfEvents(source: string): readonly string[] {
  const events = source.split(/\r?\n\r?\n/).slice(0, -1)
  return events.map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart())
      .join('\n'),
  )
}

function readOpenAi({ choices: given }: Fields, choices: OutputChoice[]): void {
  for (const item of listOf(given)) {
    const choice = entryAt(choices, item['index'], emptyChoice)
    if (choice === undefined) continue
    const message = recordOf(item['message']) ?? recordOf(item['delta']) ?? {}
    choice.text += textOf(item['text']) + textOf(message['content']) + textOf(message['refusal'])
    choice.thinking += textOf(message['reasoning_content']) || textOf(message['reasoning'])
    if (typeof item['finish_reason'] === 'string') choice.finish = item['finish_reason']
    for (const [position, toolCall] of listOf(message['tool_calls']).entries()) {
      const open = entryAt(choice.toolCalls, toolCall['index'] ?? position, emptyToolCall)
      const called = recordOf(toolCall['function']) ?? {}
      if (open === undefined) continue
      open.id += textOf(toolCall['id'])
      open.name += textOf(called['name'])
      open.arguments += textOf(called['arguments'])
    }
  }
}

const emptyToolCall = () => ({ id: '', name: '', arguments: '' })

function readAnthropic(body: Fields, choices: OutputChoice[]): void {
  const choice = entryAt(choices, 0, emptyChoice)
  if (choice === undefined) return
  switch (body['type']) {
    case 'message':
      for (const block of listOf(body['content'])) readBlock(block, choice, true)
      choice.finish = textOf(body['stop_reason']) || null
      break
    case 'content_block_start':
      readBlock(recordOf(body['content_block']) ?? {}, choice, false)
      break
    case 'content_block_delta': {
      const delta = recordOf(body['delta']) ?? {}
      choice.text += textOf(delta['text'])
      choice.thinking += textOf(delta['thinking'])
      const open = choice.toolCalls.at(-1)
      if (open !== undefined) open.arguments += textOf(delta['partial_json'])
      break
    }
    case 'message_delta':
      choice.finish = textOf(recordOf(body['delta'])?.['stop_reason']) || choice.finish
  }
}

/** A block of content: whole, or the start of one in a stream, whose input follows in deltas. */
function readBlock(block: Fields, choice: OutputChoice, isWhole: boolean): void {
  choice.text += textOf(block['text'])
  choice.thinking += textOf(block['thinking'])
  if (block['type'] !== 'tool_use' || choice.toolCalls.length > maxIndex) return
  choice.toolCalls.push({
    id: textOf(block['id']),
    name: textOf(block['name']),
    arguments: isWhole ? JSON.stringify(block['input'] ?? {}) : '',
  })
}

function readResponse(body: Fields, choices: OutputChoice[]): void {
  const choice = entryAt(choices, 0, emptyChoice)
  if (choice === undefined) return
  const response = body['object'] === 'response' ? body : recordOf(body['response'])
  const type = textOf(body['type'])
  const delta = textOf(body['delta'])
  if (response !== undefined && (type === '' || lastResponseEvents.has(type))) {
    // The last event repeats the whole output; some servers send parts of it only there.
    Object.assign(choice, emptyChoice(), { finish: responseFinish(response) })
    for (const item of listOf(response['output'])) readItem(item, choice)
  } else if (type === 'response.output_item.added') readItem(recordOf(body['item']) ?? {}, choice)
  else if (responseTextEvents.has(type)) choice.text += delta
  else if (responseThinkingEvents.has(type)) choice.thinking += delta
  else if (responseInputEvents.has(type)) {
    const open = choice.toolCalls.at(-1)
    if (open !== undefined) open.arguments += delta
  }
}

const lastResponseEvents = new Set(['response.completed', 'response.incomplete', 'response.failed'])
const responseTextEvents = new Set(['response.output_text.delta', 'response.refusal.delta'])
const responseThinkingEvents = new Set([
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
])
const responseInputEvents = new Set([
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
  'response.mcp_call_arguments.delta',
])

function responseFinish({ status, incomplete_details: details }: Fields): string | null {
  return textOf(recordOf(details)?.['reason']) || textOf(status) || null
}

/** An output item: a message, reasoning, or a call of a tool of the caller or the provider. */
function readItem(item: Fields, choice: OutputChoice): void {
  for (const part of listOf(item['summary'])) choice.thinking += textOf(part['text'])
  for (const part of listOf(item['content'])) {
    const text = textOf(part['text']) + textOf(part['refusal'])
    if (part['type'] === 'reasoning_text') choice.thinking += text
    else choice.text += text
  }
  const type = textOf(item['type'])
  if (!type.endsWith('_call') || choice.toolCalls.length > maxIndex) return
  const { action, queries, code } = item
  // Tools of the provider have no name, and their input is in a field of their own.
  const input = action ?? queries ?? code
  choice.toolCalls.push({
    id: textOf(item['call_id']) || textOf(item['id']),
    name: textOf(item['name']) || type,
    arguments:
      textOf(item['arguments']) ||
      textOf(item['input']) ||
      (input === undefined || input === null ? '' : JSON.stringify(input)),
  })
}

/** The model runtime: a body, or a line of a stream. Tool calls have no position and arrive as a whole. */
function readRuntime(body: Fields, choices: OutputChoice[]): void {
  const choice = entryAt(choices, 0, emptyChoice)
  if (choice === undefined) return
  const message = recordOf(body['message']) ?? body
  choice.text += textOf(message['content']) + textOf(body['response'])
  choice.thinking += textOf(message['thinking'])
  for (const toolCall of listOf(message['tool_calls'])) {
    if (choice.toolCalls.length > maxIndex) break
    const { name, arguments: input } = recordOf(toolCall['function']) ?? {}
    choice.toolCalls.push({
      id: textOf(toolCall['id']),
      name: textOf(name),
      arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    })
  }
  if (body['done'] === true) choice.finish = textOf(body['done_reason']) || 'stop'
}

/** The entry at an index from a response, created if it is missing; undefined for an index that is not valid. */
function entryAt<Entry>(entries: Entry[], index: unknown, create: () => Entry): Entry | undefined {
  const at = index ?? 0
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at > maxIndex) return undefined
  while (entries.length <= at) entries.push(create())
  return entries[at]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function recordOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function listOf(value: unknown): readonly Fields[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return items.map(recordOf).filter((item) => item !== undefined)
}

function parseObject(text: string): Fields | undefined {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    return undefined
  }
}
