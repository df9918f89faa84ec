import { describe, expect, test } from 'vitest'
import { createFairQueue, type FairQueue, type Priority, type Waiter } from './fair-queue.ts'

interface Named extends Waiter {
  readonly name: string
}

/** `ana1`: the first request of ana. `ana1!`: an urgent one, `ana1-` a low one. */
function waiterOf(name: string, sinceMs = 0): Named {
  const marks: Record<string, Priority> = { '!': 'urgent', '-': 'low' }
  return { name, caller: name.slice(0, 3), priority: marks[name.charAt(4)] ?? 'normal', sinceMs }
}

function queueOf(names: string): FairQueue<Named> & { readonly waiters: readonly Named[] } {
  const queue = createFairQueue<Named>({ patienceMs: 1000 })
  const waiters = names.split(' ').map((name) => waiterOf(name))
  for (const waiter of waiters) queue.add(waiter)
  return Object.assign(Object.create(queue) as FairQueue<Named>, { waiters })
}

function serveAll(queue: FairQueue<Named>, nowMs = 0): string {
  const served: string[] = []
  for (let next = queue.peek(nowMs); next !== undefined; next = queue.peek(nowMs)) {
    queue.take(next)
    served.push(next.name)
  }
  return served.join(' ')
}

describe('a fair queue', () => {
  test.each([
    ['serves one caller in order', 'ana1 ana2 ana3', 'ana1 ana2 ana3'],
    ['serves callers in turn', 'ana1 ana2 ana3 bob1 bob2 cyd1', 'ana1 bob1 cyd1 ana2 bob2 ana3'],
    ['serves the urgent first', 'ana1- bob1 cyd1!', 'cyd1! bob1 ana1-'],
    ['is fair among the urgent, too', 'ana1! ana2! bob1! cyd1', 'ana1! bob1! ana2! cyd1'],
  ])('%s', (_what, names, served) => {
    const queue = queueOf(names)
    expect(queue.waiters.map((waiter) => queue.positionOf(waiter))).toEqual(
      queue.waiters.map(({ name }) => served.split(' ').indexOf(name) + 1),
    )
    expect(serveAll(queue)).toBe(served)
    expect(queue.size).toBe(0)
  })

  test('serves a request that exceeded its patience before all others', () => {
    const queue = createFairQueue<Named>({ patienceMs: 1000 })
    queue.add(waiterOf('ana1-', 0))
    queue.add(waiterOf('bob1!', 900))
    expect(queue.peek(999)?.name).toBe('bob1!')
    expect(queue.peek(1000)?.name).toBe('ana1-')
  })

  test('removes a request that leaves, once', () => {
    const queue = queueOf('ana1 ana2 bob1')
    const [first] = queue.waiters
    if (first === undefined) throw new Error('the queue is empty')
    queue.remove(first)
    queue.remove(first)
    expect(queue.oldest()?.name).toBe('ana2')
    expect(serveAll(queue)).toBe('ana2 bob1')
  })
})
