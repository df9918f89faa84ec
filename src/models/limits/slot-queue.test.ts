import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSlotQueue, type Slot, type SlotQueueOptions, type SlotRequest } from './slot-queue.ts'

const never = new AbortController().signal

const request = (accountId: string, model = 'violin', provider = 'openai'): SlotRequest => ({
  provider,
  model,
  accountId,
})

function createQueue(max: Readonly<Record<string, number>>, options: Partial<SlotQueueOptions> = {}) {
  const limits = new Map(Object.entries(max))
  const queue = createSlotQueue({ maxOf: (scope) => limits.get(scope), waitMs: 60_000, ...options })
  return { queue, limits }
}

/** Waits for a slot and notes the name when it is granted. */
function waiting(queue: ReturnType<typeof createSlotQueue>) {
  const granted: string[] = []
  const slots = new Map<string, Slot>()
  const start = async (name: string, wanted: SlotRequest, signal = never) => {
    const slot = await queue.wait(wanted, signal)
    if (typeof slot === 'string') return slot
    granted.push(name)
    slots.set(name, slot)
    return 'granted'
  }
  return { granted, start, release: (name: string) => slots.get(name)?.release() }
}

/** Lets resolved promises continue. */
const settle = () => new Promise(setImmediate)

describe('concurrency slots', () => {
  test('a model and its provider both need a free slot', () => {
    const { queue } = createQueue({ 'openai/*': 2, 'openai/violin': 1 })
    const violin = queue.take(request('ada'))
    expect(violin).toBeDefined()
    expect(queue.take(request('ada'))).toBeUndefined()
    expect(queue.blockedBy(request('ada'))).toBe('openai/violin')
    expect(queue.take(request('ada', 'viola'))).toBeDefined()
    expect(queue.blockedBy(request('ada', 'cello'))).toBe('openai/*')
    expect(queue.take(request('ada', 'violin', 'ollama'))).toBeDefined()
    violin?.release()
    violin?.release()
    expect(queue.take(request('ada', 'cello'))).toBeDefined()
    expect(queue.take(request('ada', 'cello'))).toBeUndefined()
  })

  test('accounts take turns, and the calls of an account keep their order', async () => {
    const { queue } = createQueue({ 'openai/*': 1 })
    const { granted, start, release } = waiting(queue)
    const all = [
      start('first', request('ada')),
      ...[1, 2, 3].map((number) => start(`ada ${number}`, request('ada'))),
      ...[1, 2].map((number) => start(`bob ${number}`, request('bob'))),
      start('eve 1', request('eve')),
    ]
    await settle()
    for (let index = 0; index < all.length; index += 1) {
      release(granted.at(-1) ?? '')
      await settle()
    }
    expect(granted).toEqual(['first', 'ada 1', 'bob 1', 'eve 1', 'ada 2', 'bob 2', 'ada 3'])
    expect(queue.waiting()).toBe(0)
  })

  test('a call for a busy model does not hold up the calls of its account for other models', async () => {
    const { queue } = createQueue({ 'openai/*': 2, 'openai/violin': 1 })
    const { granted, start, release } = waiting(queue)
    void start('violin 1', request('ada'))
    void start('viola 1', request('ada', 'viola'))
    void start('violin 2', request('ada'))
    void start('viola 2', request('ada', 'viola'))
    await settle()
    release('viola 1')
    await settle()
    expect(granted).toEqual(['violin 1', 'viola 1', 'viola 2'])
    release('violin 1')
    await settle()
    expect(granted.at(-1)).toBe('violin 2')
  })

  test('a waiting call leaves when its time is up or its caller disconnects', async () => {
    const { queue } = createQueue({ 'openai/*': 1 }, { waitMs: 500 })
    const slot = queue.take(request('ada'))
    const cancel = new AbortController()
    const cancelled = queue.wait(request('ada'), cancel.signal)
    const timedOut = queue.wait(request('bob'), never)
    cancel.abort(new Error('gone'))
    await expect(cancelled).rejects.toThrow('gone')
    expect(queue.waiting()).toBe(1)
    expect(await timedOut).toBe('timed_out')
    expect(queue.waiting()).toBe(0)
    await expect(queue.wait(request('ada'), cancel.signal)).rejects.toThrow('gone')
    slot?.release()
    expect(queue.take(request('eve'))).toBeDefined()
  })

  test('the number of waiting calls is bounded, by account and in all', async () => {
    const { queue } = createQueue({ 'openai/*': 1 }, { maxPerAccount: 2, maxTotal: 3 })
    queue.take(request('ada'))
    void queue.wait(request('ada'), never)
    void queue.wait(request('ada'), never)
    expect(await queue.wait(request('ada'), never)).toBe('queue_full')
    void queue.wait(request('bob'), never)
    expect(await queue.wait(request('eve'), never)).toBe('queue_full')
    expect(queue.waiting()).toBe(3)
  })

  test('without a wait a call is refused at once', async () => {
    const { queue } = createQueue({ 'openai/*': 1 }, { waitMs: 0 })
    queue.take(request('ada'))
    expect(await queue.wait(request('ada'), never)).toBe('timed_out')
  })

  test('a raised or removed limit admits waiting calls, a lower one lets running calls end', async () => {
    const { queue, limits } = createQueue({ 'openai/*': 1 })
    const { granted, start, release } = waiting(queue)
    for (const name of ['a', 'b', 'c', 'd']) void start(name, request('ada'))
    await settle()
    limits.set('openai/*', 2)
    queue.recheck()
    await settle()
    expect(granted).toEqual(['a', 'b'])
    limits.set('openai/*', 1)
    release('a')
    await settle()
    expect(granted).toEqual(['a', 'b'])
    limits.delete('openai/*')
    queue.recheck()
    await settle()
    expect(granted).toEqual(['a', 'b', 'c', 'd'])
  })

  test('calls that started before a limit was set count', () => {
    const { queue, limits } = createQueue({})
    const slot = queue.take(request('ada'))
    limits.set('openai/violin', 1)
    expect(queue.take(request('ada'))).toBeUndefined()
    slot?.release()
    expect(queue.take(request('ada'))).toBeDefined()
  })

  test('shutting down refuses the waiting calls', async () => {
    const { queue } = createQueue({ 'openai/*': 1 })
    queue.take(request('ada'))
    const refused = queue.wait(request('ada'), never)
    queue[Symbol.dispose]()
    await expect(refused).rejects.toMatchObject({ code: 'shutting_down' })
  })
})

/** What may happen to the calls of a queue. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('call' as const),
      account: fc.constantFrom('ada', 'bob', 'eve'),
      model: fc.constantFrom('violin', 'viola', 'cello'),
    }),
    fc.record({ do: fc.constantFrom('release' as const, 'cancel' as const), pick: fc.nat() }),
    fc.record({ do: fc.constant('limit' as const), max: fc.integer({ min: 1, max: 4 }) }),
  ),
  { maxLength: 60 },
)

test('whatever happens, no limit is exceeded, no free slot is left unused and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { queue, limits } = createQueue({ 'openai/*': 3, 'openai/violin': 1 })
      const running: { readonly model: string; readonly slot: Slot }[] = []
      const pending = new Map<AbortController, string>()
      const exceeded: string[] = []
      const countOf = (wanted: string) => running.filter(({ model }) => model === wanted).length
      const isFree = (model: string) =>
        running.length < 3 && (model !== 'violin' || countOf(model) < (limits.get('openai/violin') ?? 0))

      async function call(accountId: string, model: string): Promise<void> {
        const cancel = new AbortController()
        pending.set(cancel, model)
        try {
          const slot = await queue.wait(request(accountId, model), cancel.signal)
          if (typeof slot === 'string') throw new Error(slot)
          if (!isFree(model)) exceeded.push(model)
          running.push({ model, slot })
        } catch (error) {
          if (!cancel.signal.aborted) throw error
        } finally {
          pending.delete(cancel)
        }
      }

      const calls: Promise<void>[] = []
      for (const step of all) {
        if (step.do === 'limit') {
          limits.set('openai/violin', step.max)
          queue.recheck()
        } else if (step.do === 'call') {
          calls.push(call(step.account, step.model))
        } else if (step.do === 'release') {
          running.splice(step.pick % Math.max(1, running.length), 1)[0]?.slot.release()
        } else {
          const cancels = [...pending.keys()]
          cancels[step.pick % Math.max(1, cancels.length)]?.abort()
        }
        await settle()
        expect(exceeded).toEqual([])
        expect(queue.waiting()).toBe(pending.size)
        expect([...pending.values()].filter(isFree)).toEqual([])
      }
      while (running.length > 0) {
        running.shift()?.slot.release()
        await settle()
      }
      await Promise.all(calls)
      expect(queue.waiting()).toBe(0)
      expect([1, 2, 3].map(() => queue.take(request('ada', 'viola')))).not.toContain(undefined)
    }),
    { numRuns: 150 },
  )
})

test('an account with one call waits for at most one call of each other account', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 }),
      async (counts) => {
        const { queue } = createQueue({ 'openai/*': 1 })
        const { granted, start, release } = waiting(queue)
        void start('first', request('zoe'))
        for (const [index, count] of counts.entries()) {
          for (let call = 0; call < count; call += 1) void start(`${index}`, request(`account ${index}`))
        }
        void start('bob', request('bob'))
        for (let call = 0; call < counts.length + 1; call += 1) {
          await settle()
          release(granted.at(-1) ?? '')
        }
        await settle()
        expect(granted).toContain('bob')
      },
    ),
    { numRuns: 50 },
  )
})
