import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTaskThread } from './task-thread.ts'

/** Responds with the id of its thread and the request; `hang` never ends, and shared memory ends a moment after its first change. */
const module = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', (request) => {
      while (request === 'hang');
      if (request instanceof Int32Array) Atomics.wait(request, 0, 0), Atomics.wait(request, 1, 0, 100)
      parentPort.postMessage({ threadId, request }, [])
    })
  `)}`,
)

type Request = string | Int32Array

interface Result {
  readonly threadId: number
  readonly request: Request
}

const open = (options: { readonly idleMs?: number } = {}) =>
  createTaskThread<Request, Result>({
    module,
    firstRequest: '',
    timeoutMs: 30_000,
    maxWaiting: 10,
    memory: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
    ...options,
  })

test('requests run in their order in one thread', async () => {
  await using thread = open()
  const outcomes = await Promise.all(['a', 'b', 'c'].map((request) => thread.run(request)))
  const results = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? outcome.result : []))
  expect(results.map(({ request }) => request)).toEqual(['a', 'b', 'c'])
  expect(new Set(results.map(({ threadId }) => threadId)).size).toBe(1)
})

test('an unused thread ends, and the next request starts another', async () => {
  await using thread = open({ idleMs: 1 })
  const first = await thread.run('a')
  if (first.kind !== 'done') throw new Error(first.kind)
  // A request before the end is served by the first thread, one after it by another.
  await expect
    .poll(async () => {
      const next = await thread.run('b')
      return next.kind === 'done' && next.result.threadId !== first.result.threadId
    })
    .toBe(true)
})

test('a request that takes too long ends the thread, and the next one succeeds', async () => {
  await using thread = open()
  const [hung, next] = await Promise.all([thread.run('hang', { timeoutMs: 200 }), thread.run('a')])
  expect(hung).toEqual({ kind: 'ended' })
  expect(next).toMatchObject({ kind: 'done', result: { request: 'a' } })
})

test('time in which the whole process is suspended does not count', async () => {
  await using thread = open()
  await thread.run('a')
  const memory = new Int32Array(new SharedArrayBuffer(8))
  const suspended = thread.run(memory, { timeoutMs: 3000 })
  await nextTurn()
  // Neither this thread nor the other one does anything for longer than the timeout.
  Atomics.wait(memory, 0, 0, 3300)
  memory[0] = 1
  Atomics.notify(memory, 0)
  expect(await suspended).toMatchObject({ kind: 'done' })
})

test('closing ends a running request', async () => {
  const thread = open()
  await thread.run('a')
  const hung = thread.run('hang')
  const waiting = thread.run('b')
  await thread[Symbol.asyncDispose]()
  expect(await hung).toEqual({ kind: 'closed' })
  expect(await waiting).toEqual({ kind: 'closed' })
})
