import { expect, test } from 'vitest'
import type { StreamMessage } from '#kernel/http'
import { readEventStream } from './remote-control.ts'

/** Reads a stream that arrives in pieces of this length. */
async function read(stream: string, length = stream.length * 4) {
  const messages: StreamMessage[] = []
  for await (const message of readEventStream(cut(Buffer.from(stream), length))) messages.push(message)
  return messages
}

async function* cut(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length)
}

test('messages are parsed regardless of how the bytes are split', async () => {
  const stream = 'retry: 2000\n\n: still here\n\nevent: nodes\ndata: {"name":"été"}\n\ndata: 1\n\n'
  const messages = [{ event: 'nodes', data: { name: 'été' } }, { data: 1 }]
  expect(await read(stream)).toEqual(messages)
  expect(await read(stream, 1)).toEqual(messages)
  expect(await read(stream, 7)).toEqual(messages)
})

test('an incomplete message is ignored', async () => {
  expect(await read('event: nodes\ndata: {}\n')).toEqual([])
})

test('invalid JSON and a message without an end are errors', async () => {
  await expect(read('event: nodes\ndata: <html>\n\n')).rejects.toThrow()
  await expect(read(`data: ${'x'.repeat(17 * 1024 * 1024)}`, 65_536)).rejects.toThrow('too long')
})
