import { expect, test } from 'vitest'
import { followStream, readMessages } from './follow-stream.ts'

function streamOf(...pieces: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
}

test('messages are parsed regardless of how the bytes are split', async () => {
  const read: unknown[] = []
  const body = streamOf(
    'retry: 2000\n\nid: 1\nevent: step_sta',
    'rted\ndata: {"step_id":"a"}\n',
    '\n: still here\n\ndata: 1\n\nid: 2',
  )
  for await (const message of readMessages(body)) read.push(message)
  expect(read).toEqual([
    { id: '1', event: 'step_started', data: { step_id: 'a' } },
    { id: undefined, event: 'message', data: 1 },
  ])
})

test('an interrupted stream resumes after its last event, until the end event', async () => {
  const asked: string[] = []
  const answers = [
    () => new Response(streamOf('id: 1\nevent: step_started\ndata: {}\n\n')),
    () => new Response('', { status: 503 }),
    () => new Response(streamOf('id: 2\nevent: execution_completed\ndata: {"status":"completed"}\n\n')),
  ]
  const api = {
    async open(_path: string, headers: Readonly<Record<string, string>>) {
      asked.push(headers['last-event-id'] ?? '')
      return answers.shift()?.() ?? new Response('', { status: 500 })
    },
  }
  const heard: string[] = []
  const stream = followStream(api, 'x', new AbortController().signal, { pauseMs: 1 })
  for await (const { event } of stream) heard.push(event)
  expect(heard).toEqual(['step_started', 'execution_completed'])
  expect(asked).toEqual(['0', '1', '1'])
})

const answering = (status: number) => ({ open: async () => new Response(null, { status }) })

const follow = async (status: number) => {
  const heard: unknown[] = []
  for await (const event of followStream(answering(status), 'x', new AbortController().signal))
    heard.push(event)
  return heard
}

test('a finished execution needs no stream, and a rejection is reported', async () => {
  expect(await follow(204)).toEqual([])
  await expect(follow(404)).rejects.toThrow('refused with status 404')
})
