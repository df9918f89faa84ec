import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createExecutionWaits, type WaitsSnapshot } from './execution-waits.ts'
import type { ClosedWait, StoredWait } from './wait.ts'

const tomorrow = new Date(Date.now() + 86_400_000)
const request = { kind: 'event', wakeAt: tomorrow, request: {} } as const
const { signal } = new AbortController()

/** The waits of an execution. Each read of stored waits ends when the test says so. */
function createScene(stored: WaitsSnapshot = { waits: [], wakes: 0 }) {
  const reads: { readonly ids: readonly string[]; readonly end: (read: WaitsSnapshot) => void }[] = []
  const waits = createExecutionWaits({
    executionId: 'execution',
    isBatch: false,
    stored,
    store: {
      readClosed: (_, ids) =>
        new Promise((resolve) => {
          reads.push({ ids, end: resolve })
        }),
      matchSignals: async () => {},
      timeOut: async () => {},
    },
    journal: { add: () => {} },
    totals: { addWait: () => {} },
    now: () => new Date(),
    onOpened: () => {},
    onError: (error) => {
      throw error
    },
  })
  return {
    waits,
    reads,
    begin: (stepId: string): Promise<ClosedWait> => waits.waitOf({ item: 0, stepId }, signal)(() => request),
    [Symbol.dispose]: () => waits[Symbol.dispose](),
  }
}

function storedWait(stepId: string, more: Partial<StoredWait> = {}): StoredWait {
  return {
    id: randomUUID(),
    item: 0,
    stepId,
    number: 1,
    kind: 'event',
    wakeAt: tomorrow,
    state: 'open',
    answer: null,
    answeredBy: null,
    comment: null,
    closedAt: null,
    createdAt: new Date(),
    ...more,
  }
}

const answered = { state: 'answered', closedAt: new Date() } as const

test('a wait that was closed during an older read refuses the suspension, and is found then', async () => {
  using scene = createScene()
  void scene.begin('first')
  const reading = scene.waits.refresh()
  const second = scene.begin('second')
  const [, opened] = scene.waits.takeNew()
  // The second wait was stored and closed before the database answered the read, which did not ask for it.
  scene.reads[0]?.end({ waits: [], wakes: 1 })
  await reading
  expect(scene.waits.suspension(2)).toEqual({ wakes: 0 })

  const again = scene.waits.refresh()
  scene.reads[1]?.end({ waits: [storedWait('second', { id: opened?.id ?? '', ...answered })], wakes: 1 })
  await again
  expect(await second).toMatchObject({ state: 'answered' })
  expect(scene.waits.suspension(1)).toEqual({ wakes: 1 })
})

test('a stored wait whose step begins after a read that counted its end refuses the suspension', async () => {
  const [first, second] = [storedWait('first'), storedWait('second')]
  using scene = createScene({ waits: [first, second], wakes: 3 })
  void scene.begin('first')
  const reading = scene.waits.refresh()
  scene.reads[0]?.end({ waits: [], wakes: 4 })
  await reading
  expect(scene.waits.suspension(1)).toEqual({ wakes: 4 })

  const waiting = scene.begin('second')
  expect(scene.waits.suspension(2)).toEqual({ wakes: 3 })
  const again = scene.waits.refresh()
  expect(scene.reads[1]?.ids).toEqual([first.id, second.id])
  scene.reads[1]?.end({ waits: [{ ...second, ...answered }], wakes: 4 })
  await again
  expect(await waiting).toMatchObject({ id: second.id })
})

test('a wait that opens after a read is suspended with the count of that read', async () => {
  using scene = createScene()
  void scene.begin('first')
  const reading = scene.waits.refresh()
  scene.reads[0]?.end({ waits: [], wakes: 2 })
  await reading
  void scene.begin('second')
  scene.waits.takeNew()
  expect(scene.waits.suspension(2)).toEqual({ wakes: 2 })
})

test('of two reads that overlap, the older one does not take the count back', async () => {
  using scene = createScene()
  void scene.begin('first')
  scene.waits.takeNew()
  const [older, newer] = [scene.waits.refresh(), scene.waits.refresh()]
  scene.reads[1]?.end({ waits: [], wakes: 2 })
  await newer
  scene.reads[0]?.end({ waits: [], wakes: 1 })
  await older
  expect(scene.waits.suspension(1)).toEqual({ wakes: 2 })
})
