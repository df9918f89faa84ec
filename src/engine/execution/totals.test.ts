import { describe, expect, test } from 'vitest'
import { readGraph } from '../graph/graph.ts'
import { isFatal, noUsage } from '../steps/step-failure.ts'
import type { StepOutcome } from '../store/commit.ts'
import { createBatchItems, readySteps } from './batch-items.ts'
import type { Ledger } from './ledger.ts'
import { createMemoryBudget, rulesOf } from './rules.ts'
import { errorOf } from './running-steps.ts'
import type { SubFlows } from './sub-flows.ts'
import { createTotals, type StoredTotals } from './totals.ts'

const limits = { items: 200, waits: 2, bytes: 1000 }
const at = new Date(1000)

function openTotals(stored: StoredTotals | null = null, isRepeating = true) {
  return createTotals({ stored, limits, isRepeating })
}

/** An execution whose only step is a loop; `open` ends the evaluation of its list. */
function openLoop(stored: StoredTotals | null, outcomes: readonly StepOutcome[] = []) {
  const totals = openTotals(stored)
  const [step] = readGraph([
    { id: 'each', type: 'for_each', items: 'rows', steps: [{ id: 'one', type: 'ai_prompt', prompt: 'x' }] },
  ]).steps.values()
  if (step === undefined) throw new Error('the flow has no step')
  const items = createBatchItems({
    flow: { id: 'outer', version: 1 },
    graph: readGraph([step]),
    input: { context: {}, options: {}, memory: {} },
    rules: rulesOf({}, { context: {}, options: {} }, at),
    memoryBudget: createMemoryBudget(1e9),
    totals,
    journal: { add: () => {}, take: () => [], giveBack: () => {} },
    outcomes,
    unread: [],
    ledger: () => undefined as unknown as Ledger,
    subFlows: undefined as unknown as SubFlows,
    onRestored: () => {},
  })

  function open(count: number) {
    const output = { items: Array.from({ length: count }, (_, index) => index) }
    const result = { output, confidence: null, quality: null, usage: noUsage, details: {} }
    for (const { scope, step: ready } of readySteps(items.open())) scope.progress.start(ready)
    return items.take({
      step,
      path: '',
      item: 0,
      cpuMs: 0,
      startedAt: at,
      endedAt: at,
      end: { kind: 'completed', result, usage: noUsage, attempts: 1 },
    } as never)
  }
  return { totals, items, open }
}

describe('items', () => {
  test('are those that have ended and those that are open', () => {
    const totals = openTotals({ items: 190, waits: 0, bytes: 0 })
    for (let opened = 0; opened < 5; opened += 1) totals.scopeOpened()
    totals.scopeEnded()
    expect(() => totals.requireItems(5, 'each')).not.toThrow()
    expect(() => totals.requireItems(6, 'each')).toThrow(
      'With those of "each" the execution would have 201 items, iterations and sub-flows; its limit is 200. Split the list over several executions.',
    )
    expect(totals.takeLast()).toEqual({ items: 191, waits: 0, bytes: 0 })
  })

  test('of a list that exceeds what is left fail its container when it opens; none of them opens', () => {
    const { open, items } = openLoop({ items: 150, waits: 0, bytes: 0 })
    const { fatal, outcomes } = open(51)
    expect(fatal).toMatchObject({
      code: 'MEMORY_LIMIT_EXCEEDED',
      step: 'each',
      details: { items: 201, limit_items: 200 },
    })
    expect(fatal !== undefined && isFatal(fatal)).toBe(true)
    expect(outcomes.map(({ stepId, state }) => `${stepId} ${state}`)).toEqual(['each failed'])
    expect(readySteps(items.open())).toEqual([])
    expect(openLoop({ items: 150, waits: 0, bytes: 0 }).open(50).fatal).toBeUndefined()
  })

  test('that a resumed execution opens again are not counted twice', () => {
    const before = openLoop(null)
    const { outcomes } = before.open(200)
    const stored = before.totals.takeLast() ?? null
    const resumed = openLoop(stored, JSON.parse(JSON.stringify(outcomes)) as StepOutcome[])
    expect(readySteps(resumed.items.open())).toHaveLength(5)
    expect(stored?.items).toBe(0)
    expect(() => resumed.totals.requireItems(195, 'each')).not.toThrow()
    expect(() => resumed.totals.requireItems(196, 'each')).toThrow('would have 201 items')
  })
})

test('a wait above the limit is refused, and not counted', () => {
  const totals = openTotals({ items: 0, waits: 1, bytes: 0 })
  totals.addWait()
  expect(() => totals.addWait()).toThrow('The execution has waited 2 times, which is its limit.')
  expect(totals.takeLast()?.waits).toBe(2)
})

test('bytes above the limit end the execution', () => {
  const totals = openTotals({ items: 0, waits: 0, bytes: 400 })
  expect(totals.addBytes(600)).toBeUndefined()
  const failure = totals.addBytes(1)
  expect(failure?.message).toContain(
    'Return less from its steps, or split its items over several executions.',
  )
  expect(failure && errorOf(failure)).toMatchObject({
    code: 'MEMORY_LIMIT_EXCEEDED',
    details: { stored_bytes: 1001, limit_bytes: 1000 },
  })
})

describe('totals are stored', () => {
  test('when one has grown by more than 1 % of its limit since they were stored', () => {
    const totals = openTotals()
    totals.addBytes(10)
    expect(totals.takeGrown()).toBeUndefined()
    totals.addBytes(1)
    expect(totals.takeGrown()).toEqual({ items: 0, waits: 0, bytes: 11 })
    expect(totals.takeGrown()).toBeUndefined()
    for (let item = 0; item < 3; item += 1) totals.scopeOpened()
    expect(totals.takeGrown()).toBeUndefined()
    for (let item = 0; item < 3; item += 1) totals.scopeEnded()
    expect(totals.takeGrown()).toEqual({ items: 3, waits: 0, bytes: 11 })
  })

  test('of a flow without containers and batch only once it has waited', () => {
    const totals = openTotals(null, false)
    totals.addBytes(900)
    expect(totals.takeGrown()).toBeUndefined()
    expect(totals.takeLast()).toBeUndefined()
    totals.addWait()
    expect(totals.takeLast()).toEqual({ items: 0, waits: 1, bytes: 900 })
  })
})
