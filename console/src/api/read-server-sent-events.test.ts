import { describe, expect, test } from 'vitest'
import { readServerSentEvents, type ServerSentEvent } from './read-server-sent-events.ts'

async function read(...chunks: string[]) {
  const bytes = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  const events: ServerSentEvent[] = []
  for await (const event of readServerSentEvents(bytes)) events.push(event)
  return events
}

describe('readServerSentEvents', () => {
  test('reads id, name and data, and ignores comments and unknown fields', async () => {
    expect(await read(': hello\nretry: 2000\n\nid: 7\nevent: event\ndata: {"a":1}\n\n')).toEqual([
      { id: '7', event: 'event', data: '{"a":1}' },
    ])
  })

  test('reads the same events however the bytes are split', async () => {
    const text = 'id: 1\r\nevent: event\r\ndata: one\r\ndata: two\r\n\r\nid: 2\ndata:three\n\n'
    const whole = await read(text)
    expect(whole).toEqual([
      { id: '1', event: 'event', data: 'one\ntwo' },
      { id: '2', event: 'message', data: 'three' },
    ])
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(await read(text.slice(0, cut), text.slice(cut))).toEqual(whole)
    }
    expect(await read(...text.split(''))).toEqual(whole)
  })

  test('keeps the id until the next one and drops an event without an end', async () => {
    expect(await read('id: 1\ndata: a\n\ndata: b\n\ndata: never')).toEqual([
      { id: '1', event: 'message', data: 'a' },
      { id: '1', event: 'message', data: 'b' },
    ])
  })
})
