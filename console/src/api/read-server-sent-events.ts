export interface ServerSentEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Reads an event stream as it arrives. Ids stay until the next one, as browsers do it; comments only keep it awake. */
export async function* readServerSentEvents(
  bytes: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  const reader = bytes.getReader()
  let unread = ''
  let id = ''
  let event = ''
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      unread += decoder.decode(value, { stream: true })
      // A carriage return at the very end may be half of a line break: it waits for what follows.
      const lines = unread.split(/\r\n|\n|\r(?!$)/)
      unread = lines.pop() ?? ''
      for (const line of lines) {
        const [field, text] = splitField(line)
        if (line === '') {
          if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') }
          event = ''
          data = []
        } else if (field === 'data') data.push(text)
        else if (field === 'event') event = text
        else if (field === 'id') id = text
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function splitField(line: string): [field: string, text: string] {
  const colon = line.indexOf(':')
  if (colon === -1) return [line, '']
  const start = line[colon + 1] === ' ' ? colon + 2 : colon + 1
  return [line.slice(0, colon), line.slice(start)]
}
