import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, type Mock, test, vi } from 'vitest'
import type { PlatformApi } from '../remote/platform-api.ts'
import { followUntilLeft } from './follow-run.ts'
import type { RunState } from './run-state.ts'

let printed: Mock<typeof console.error>
beforeEach(() => {
  printed = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})
const output = () => printed.mock.calls.flat().join('\n')

const working: RunState = { status: 'running', approval: null, suspended: null, gated: null }
const waiting: RunState = {
  ...working,
  suspended: { waits: [{ step_id: 'pause', kind: 'timer', until: 1_797_464_000 }] },
}
const suspended = 'id: 1\nevent: execution_suspended\ndata: {}\n\n'
const completed = 'id: 2\nevent: execution_completed\ndata: {}\n\n'

/** A platform whose stream has these events and stays open, until `end` is called or the reader leaves. */
function platformWith(state: RunState, events: string) {
  const requests: string[] = []
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const stream = (signal: AbortSignal) =>
    new ReadableStream<Uint8Array>({
      async start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason))
        controller.enqueue(new TextEncoder().encode(events))
        opened.resolve()
        await ended.promise
        controller.enqueue(new TextEncoder().encode(completed))
        controller.close()
      },
    })
  const api = {
    url: 'https://tutti.example.com',
    flags: ' --profile staging',
    async call(path: string) {
      requests.push(path)
      if (path.endsWith('/cancel')) ended.resolve()
      return state
    },
    open: async (_path: string, _headers: object, signal: AbortSignal) => new Response(stream(signal)),
  } as unknown as PlatformApi
  return { api, requests, opened: opened.promise, end: () => ended.resolve() }
}

test('a run that waits says so once, and is followed on to its end', async () => {
  const { api, end } = platformWith(waiting, suspended + suspended.replace('id: 1', 'id: 2'))
  const followed = followUntilLeft(api, 'x', { shows: false, signals: new EventEmitter() })
  await expect.poll(output).toBe('tutti: pause waits until 2026-12-16T23:33:20.000Z.')
  end()
  expect(await followed).toBe(true)
})

test.each(['SIGTERM', 'SIGHUP'])('%s leaves a run that works, and says how to follow it', async (signal) => {
  const { api, requests, opened } = platformWith(working, '')
  const signals = new EventEmitter()
  const followed = followUntilLeft(api, 'x', { shows: false, cancels: true, signals })
  await opened
  signals.emit(signal)
  expect(await followed).toBe(false)
  expect(requests).toEqual([])
  expect(output()).toBe(
    'tutti: the run continues. Follow it again: npx tutti runs show x --follow --profile staging\n' +
      'tutti: Cancel it: npx tutti runs cancel x --profile staging',
  )
  expect(signals.eventNames()).toEqual([])
})

test('Ctrl-C leaves a run that waits', async () => {
  const { api, requests } = platformWith(waiting, suspended)
  const signals = new EventEmitter()
  const followed = followUntilLeft(api, 'x', { shows: false, cancels: true, signals })
  await expect.poll(output).toContain('pause waits')
  signals.emit('SIGINT')
  expect(await followed).toBe(false)
  expect(requests.filter((path) => path.endsWith('/cancel'))).toEqual([])
})

test('Ctrl-C cancels a run that works, and is the same when npx passes it on once more', async () => {
  const { api, requests, opened } = platformWith(working, '')
  const signals = new EventEmitter()
  const followed = followUntilLeft(api, 'x', { shows: false, cancels: true, signals })
  await opened
  signals.emit('SIGINT')
  signals.emit('SIGINT')
  expect(await followed).toBe(true)
  expect(requests.filter((path) => path.endsWith('/cancel'))).toEqual(['/executions/x/cancel'])
})

test('Ctrl-C leaves a run that another command started', async () => {
  const { api, requests, opened } = platformWith(working, '')
  const signals = new EventEmitter()
  const followed = followUntilLeft(api, 'x', { shows: false, signals })
  await opened
  signals.emit('SIGINT')
  expect(await followed).toBe(false)
  expect(requests).toEqual([])
})
