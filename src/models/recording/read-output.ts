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
 * Reads a response in the protocol of the caller: a body, or server-sent events up to the last complete one. A response that
 * cannot be read is returned as one text.
 */
export function readRawOutput(protocol: Protocol, bytes: Buffer): readonly OutputChoice[] {
  const source = bytes.toString('utf8')
  const read = readers[protocol]
  if (read !== undefined) {
    const choices: OutputChoice[] = []
    const pieces = source.trimStart().startsWith('{') ? [source] : dataOfEvents(source)
    for (const piece of pieces) {
      const body = parseObject(piece)
      if (body !== undefined) read(body, choices)
    }
    const found = choices.filter((choice) => choice !== undefined)
    if (found.length > 0) return found
  }
  return [{ ...emptyChoice(), text: source }]
}

/** Adds what a body or an event contains to the choices. */
type OutputReader = (body: Fields, choices: OutputChoice[]) => void

const readers: Readonly<Partial<Record<Protocol, OutputReader>>> = {
  'openai.chat': readOpenAi,
  'openai.completions': readOpenAi,
  'anthropic.messages': readAnthropic,
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
