import type { StreamMessage } from '#kernel/http'

/** All nodes come in one message, so it may be long, but not without end. */
const longestMessage = 16 * 1024 * 1024

/** Reads the messages of an event stream whose data is JSON, as they arrive. Comments only keep it awake. */
export async function* readEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamMessage> {
  const decoder = new TextDecoder()
  let unread = ''
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    unread += text
    if (unread.length > longestMessage) throw new Error('a message of the event stream is too long')
    // A long message comes in many pieces, and only the last one can end it.
    if (!text.includes('\n')) continue
    const blocks = unread.split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = readBlock(block)
      if (message !== undefined) yield message
    }
  }
}

function readBlock(block: string): StreamMessage | undefined {
  const lines = block.split('\n')
  const valueOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2))
  const data = valueOf('data').join('\n')
  const event = valueOf('event')[0]
  if (data === '') return undefined
  return { ...(event !== undefined && { event }), data: JSON.parse(data) as unknown }
}
