import type { ProtocolReader, Reading } from './protocols.ts'
import type { FinishReason, TokenUsage } from './provider.ts'
import type { ProviderFailure } from './provider-failure.ts'
import { failureOfStatus, readErrorBody } from './status-failure.ts'

/** What the end of a response has to report. */
export interface Summary {
  usage: TokenUsage
  finish: FinishReason | undefined
}

/** How the events of a response are read. */
export interface EventRules {
  /** The name of the provider for failure messages. */
  readonly label: string
  readonly reader: ProtocolReader
  /** The usage was requested for the gateway: the caller does not get it. */
  readonly hideUsage: boolean
  /** The key of the request, which failure messages must not contain. */
  readonly key: string | undefined
  readonly malformed: () => ProviderFailure
}

const lineBreak = 10
const carriageReturn = 13

/** The position after the last complete event; an event ends with an empty line. */
export function endOfEvents(data: Buffer): number {
  for (let at = data.lastIndexOf(lineBreak); at > 0; at = data.lastIndexOf(lineBreak, at - 1)) {
    const before = data[at - 1] === carriageReturn ? at - 2 : at - 1
    if (before >= 0 && data[before] === lineBreak) return at + 1
  }
  return 0
}

export interface ReadEvents {
  /** The bytes to pass on: all of them, except hidden events and those from the failure on. */
  readonly bytes: Buffer
  readonly outputBytes: number
  readonly isEnd: boolean
  readonly failure?: ProviderFailure | undefined
}

/** Reads complete events and adds what they report to the summary. */
export function readEvents(data: Buffer, summary: Summary, rules: EventRules): ReadEvents {
  const events = splitEvents(data.toString('utf8'))
  const passed: string[] = []
  let outputBytes = 0
  let isEnd = false
  for (const event of events) {
    const content = dataOf(event)
    const reading = content === undefined ? comment : rules.reader.readEvent(content)
    const failure = reading === undefined ? rules.malformed() : failureIn(reading, rules)
    if (reading === undefined || failure !== undefined) {
      return { bytes: Buffer.from(passed.join('')), outputBytes, isEnd, failure }
    }
    addReading(summary, reading)
    outputBytes += reading.outputBytes
    isEnd ||= reading.isEnd === true
    if (!rules.hideUsage || reading.isUsageOnly !== true) passed.push(event)
  }
  const bytes = passed.length === events.length ? data : Buffer.from(passed.join(''))
  return { bytes, outputBytes, isEnd }
}

const comment: Reading = { outputBytes: 0 }

/** Most chunks are one event of one line. */
function splitEvents(text: string): readonly string[] {
  return text.indexOf('\n') === text.length - 2 ? [text] : text.split(/(?<=\n\r?\n)/)
}

/** The data of an event; undefined for a comment. */
function dataOf(event: string): string | undefined {
  if (event.startsWith('data: ') && event.indexOf('\n') === event.length - 2) return event.slice(6, -2)
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(line[5] === ' ' ? 6 : 5)).join('\n')
}

/** A later count replaces an earlier one: some protocols report the input first and the output at the end. */
function addReading(summary: Summary, { usage, finish }: Reading): void {
  if (finish !== undefined) summary.finish = finish
  if (usage === undefined) return
  const known = summary.usage
  summary.usage = {
    inputTokens: usage.inputTokens ?? known.inputTokens,
    cachedInputTokens: usage.cachedInputTokens ?? known.cachedInputTokens,
    cacheWriteTokens: usage.cacheWriteTokens ?? known.cacheWriteTokens,
    outputTokens: usage.outputTokens ?? known.outputTokens,
  }
}

/** The failure that the provider reports in the place of a piece. */
function failureIn({ error }: Reading, { label, key }: EventRules): ProviderFailure | undefined {
  if (error === undefined) return undefined
  const body = readErrorBody(error)
  return failureOfStatus({ label, status: statusOf(body.code), ...body, retryAfterSeconds: undefined, key })
}

/** Errors in a stream have no status of their own. */
const statuses: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
}

function statusOf(code: string | undefined): number {
  return (code === undefined ? undefined : statuses[code]) ?? 500
}
