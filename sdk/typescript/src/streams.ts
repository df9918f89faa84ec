import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { errorOf, TuttiError } from './errors.ts'
import { pause } from './retries.ts'

/** One event of a stream. */
export interface StreamEvent {
  /** Empty when the stream has no ids. */
  readonly id: string
  /** The type of the event; `message` when the stream has none. */
  readonly event: string
  /** The data of the event: parsed JSON, or the text as it is. */
  readonly data: unknown
}

interface FollowOptions {
  /** Sends the request, with the id of the last received event. */
  readonly open: (lastId: string) => Promise<Response>
  /** Whether the stream can be continued from an event id. */
  readonly isResumable: boolean
  readonly signal: AbortSignal
}

const firstPauseMs = 500
const maxPauseMs = 10_000

/**
 * Reads a stream of server-sent events or of JSON lines.
 *
 * | a resumable stream                  | then                                                                         |
 * |-------------------------------------|------------------------------------------------------------------------------|
 * | ends, or its connection is lost     | is opened again after the last received event, after a pause                 |
 * | cannot be opened for a moment       | is opened again, after pauses that double                                    |
 * | answers 204                         | has ended                                                                    |
 * | is refused                          | throws a TuttiError                                                          |
 */
export async function* followStream({
  open,
  isResumable,
  signal,
}: FollowOptions): AsyncGenerator<StreamEvent> {
  let lastId = ''
  for (let failures = 0; ; failures += 1) {
    try {
      const response = await open(lastId)
      if (response.status === 204) return
      if (!response.ok) throw await errorOf(response)
      for await (const event of eventsIn(response)) {
        if (event.id !== '') lastId = event.id
        failures = 0
        yield event
      }
      if (!isResumable) return
    } catch (error) {
      signal.throwIfAborted()
      const mayHelp = !(error instanceof TuttiError) || error.status === 0 || error.status >= 500
      if (!isResumable || !mayHelp) throw error
    }
    await pause(Math.min(maxPauseMs, firstPauseMs * 2 ** failures), signal)
  }
}

async function* eventsIn(response: Response): AsyncGenerator<StreamEvent> {
  if (response.body === null) return
  const isLines = response.headers.get('content-type')?.includes('ndjson') === true
  const texts = textsIn(response.body)
  yield* isLines ? jsonLinesIn(texts) : serverSentEventsIn(texts)
}

/** Reads with a reader, because not every browser can iterate over a stream. A stream that is left early is cancelled. */
async function* textsIn(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

async function* serverSentEventsIn(texts: AsyncIterable<string>): AsyncGenerator<StreamEvent> {
  const complete: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => void complete.push(message) })
  for await (const text of texts) {
    parser.feed(text)
    for (const { id = '', event = 'message', data } of complete.splice(0)) {
      // The end of a stream in the format of OpenAI.
      if (data === '[DONE]') return
      yield { id, event, data: parsed(data) }
    }
  }
}

async function* jsonLinesIn(texts: AsyncIterable<string>): AsyncGenerator<StreamEvent> {
  let rest = ''
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield { id: '', event: 'message', data: parsed(line) }
  }
  if (rest !== '') yield { id: '', event: 'message', data: parsed(rest) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
