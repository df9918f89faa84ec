import { createParser, type EventSourceMessage } from 'eventsource-parser'

export interface ServerSentEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Reads an event stream as it arrives. An event without an id has the id of the previous event, as in browsers. */
export async function* readServerSentEvents(
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  const reader = bytes.getReader()
  const complete: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => void complete.push(message) })
  let lastId = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const { id = lastId, event = 'message', data } of complete.splice(0)) {
        lastId = id
        yield { id, event, data }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
