import type { Protocol } from '../providers/protocols.ts'
import type { ModelPart } from '../providers/provider.ts'
import type { RecordedResponse, RecordedToolCall } from './content.ts'
import { createContentWriter } from './content-writer.ts'
import { emptyChoice, type OutputChoice, readRawOutput } from './read-output.ts'

/** A response as it is recorded; null where nothing arrived. */
export interface DescribedResponse {
  readonly content: RecordedResponse | null
  readonly truncated: boolean
}

/** Collects the parts of a response while they pass. */
export interface OutputCollector {
  onPart(part: ModelPart): void
  /** Bytes and characters that the collector holds. */
  size(): number
  /** The response so far, without secrets and within its bounds. */
  describe(): Promise<DescribedResponse>
}

const responseBounds = { maxCharacters: 131_072, maxTextLength: 65_536 }
/** More than the recorded text: a response in the protocol of the caller has fields and events around it. */
const maxRawBytes = 1024 * 1024
/** Redacting may shorten a text, so more is collected than is recorded. */
const maxCollected = 2 * responseBounds.maxCharacters
const maxToolCalls = 128

export function createOutputCollector(protocol: Protocol | undefined): OutputCollector {
  const choice = emptyChoice()
  const raw: Buffer[] = []
  let rawBytes = 0
  let collected = 0
  let isCut = false

  /** The part of a text that still fits. */
  function take(text: string): string {
    const kept = text.slice(0, Math.max(0, maxCollected - collected))
    if (kept.length < text.length) isCut = true
    collected += kept.length
    return kept
  }

  function takeRaw(bytes: Buffer): void {
    const kept = bytes.subarray(0, Math.max(0, maxRawBytes - rawBytes))
    if (kept.length < bytes.length) isCut = true
    rawBytes += kept.length
    // A copy: a small piece of a connection's buffer would keep the whole buffer in memory.
    if (kept.length > 0) raw.push(Buffer.from(kept))
  }

  return {
    onPart(part) {
      switch (part.type) {
        case 'text':
          choice.text += take(part.text)
          break
        case 'thinking':
          choice.thinking += take(part.text)
          break
        case 'tool_call':
          if (choice.toolCalls.length < maxToolCalls && part.index === choice.toolCalls.length)
            choice.toolCalls.push({ id: take(part.id), name: take(part.name), arguments: '' })
          else isCut = true
          break
        case 'tool_arguments': {
          const open = choice.toolCalls[part.index]
          if (open !== undefined) open.arguments += take(part.text)
          break
        }
        case 'raw':
          takeRaw(part.bytes)
          break
        case 'end':
          choice.finish = part.finish
      }
    },
    size: () => collected + rawBytes,
    async describe() {
      const isEmpty = raw.length === 0 && collected === 0 && choice.finish === null
      if (isEmpty) return { content: null, truncated: isCut }
      const choices =
        raw.length === 0 || protocol === undefined ? [choice] : readRawOutput(protocol, Buffer.concat(raw))
      const writer = createContentWriter(responseBounds)
      const described: RecordedChoice[] = []
      for (const one of choices) described.push(await describeChoice(one, (text) => writer.text(text)))
      return { content: { choices: described }, truncated: isCut || writer.isTruncated() }
    },
  }
}

type RecordedChoice = NonNullable<RecordedResponse['choices']>[number]

async function describeChoice(
  { text, thinking, toolCalls, finish }: OutputChoice,
  write: (text: string) => Promise<string>,
): Promise<RecordedChoice> {
  const described = { text: await write(text), finish_reason: finish }
  const calls: RecordedToolCall[] = []
  for (const { id, name, arguments: given } of toolCalls) {
    calls.push({ id: await write(id), name: await write(name), arguments: await write(given) })
  }
  return {
    ...described,
    ...(thinking !== '' && { thinking: await write(thinking) }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}
