import { describe, expect, test } from 'vitest'
import type { FlowDefinition } from '../definition/flow.ts'
import { bucketCount } from './duration-buckets.ts'
import { confidenceOf, type Estimate, unknownEstimate } from './estimate.ts'
import { estimateFlow, predictExecution, type RunningExecution } from './flow-estimate.ts'
import type { FlowSums } from './flow-stats.ts'
import { predictWait } from './overview.ts'
import type { StepEstimate } from './step-estimates.ts'

const transform = (id: string, dependencies: string[] = []) => ({
  id,
  type: 'data_transform' as const,
  dependencies,
  transformations: [{ operation: 'merge' as const }],
})

/** `first`, then `left` and `right` side by side, then `last`. */
const diamond: FlowDefinition = {
  id: 'diamond',
  label: 'Diamond',
  steps: [
    transform('first'),
    transform('left', ['first']),
    transform('right', ['first']),
    transform('last', ['left', 'right']),
  ],
}

const learned = (value: number, sample = 20): Estimate => ({
  value,
  source: 'step_type_history',
  sample,
  confidence: 0.5,
})

const step = (stepId: string, ms: number, cost = 0): StepEstimate => ({
  stepId,
  duration: learned(ms),
  cost: learned(cost),
  runShare: 1,
})

const steps = [step('first', 100, 1), step('left', 1000, 2), step('right', 400, 3), step('last', 50, 4)]
const nothingExpected = { durationMs: null, microDollars: null }

function flowSums(sums: Partial<FlowSums> = {}): FlowSums {
  const counts = Array.from({ length: bucketCount }, (_, bucket) => (bucket === 20 ? 10 : 0))
  const took = { counts, minMs: null, maxMs: null }
  return {
    executions: 10,
    completed: 10,
    failed: 0,
    cancelled: 0,
    batches: 0,
    batch_items: 0,
    duration_ms: 15_000,
    took,
    completed_spent: 5000,
    completed_spent_squares: 2_500_000,
    begun: 10,
    queued_ms: 0,
    spent: 5000,
    unpriced: 0,
    decisions: 0,
    cpu_ms: 0,
    peak_bytes: 0,
    ...sums,
  }
}

describe('a flow', () => {
  test('that has run takes what it took', () => {
    const { duration, cost } = estimateFlow({
      definition: diamond,
      steps,
      own: flowSums(),
      expected: nothingExpected,
    })
    expect(duration).toMatchObject({ source: 'flow_history', sample: 10 })
    expect(duration.value).toBeGreaterThan(1000)
    // All cost the same, so only their number is in the way of being sure.
    expect(cost).toEqual({ value: 500, source: 'flow_history', sample: 10, confidence: 0.6667 })
  })

  test('that has not takes as long as the longest way through it, and costs all of it', () => {
    const { duration, cost } = estimateFlow({
      definition: diamond,
      steps,
      own: flowSums({ executions: 0, completed: 0 }),
      expected: { durationMs: 99, microDollars: 99 },
    })
    expect(duration).toEqual({ value: 1150, source: 'step_type_history', sample: 20, confidence: 0.5 })
    expect(cost.value).toBe(10)
  })

  test('is that of the metadata when a step is unknown, else unknown', () => {
    const unknown = [
      ...steps.slice(0, 3),
      { ...step('last', 0), duration: unknownEstimate, cost: unknownEstimate },
    ]
    const about = { definition: diamond, steps: unknown, own: undefined }
    expect(estimateFlow({ ...about, expected: { durationMs: 5000, microDollars: 70 } })).toMatchObject({
      duration: { value: 5000, source: 'metadata', sample: 0 },
      cost: { value: 70, source: 'metadata' },
    })
    expect(estimateFlow({ ...about, expected: nothingExpected })).toMatchObject({
      duration: { value: null, source: null },
      cost: { value: null, source: null },
    })
  })

  test('has no cost when prices are unknown', () => {
    const own = flowSums({ unpriced: 10, completed_spent: 0, completed_spent_squares: 0, spent: 0 })
    const { cost } = estimateFlow({
      definition: diamond,
      steps: steps.map((it) => ({ ...it, cost: unknownEstimate })),
      own,
      expected: nothingExpected,
    })
    expect(cost.value).toBeNull()
  })

  test('with a batch takes its groups one after the other, and costs every item', () => {
    const about = { definition: diamond, steps, own: flowSums(), expected: nothingExpected }
    const together = estimateFlow({ ...about, batch: { items: 10, size: 4, parallel: true } })
    const inTurn = estimateFlow({ ...about, batch: { items: 10, size: 4, parallel: false } })
    expect(together.duration.value).toBe(3 * 1150)
    expect(inTurn.duration.value).toBe(10 * 1150)
    expect(together.cost.value).toBe(100)
  })

  test('does not count on steps that routing may add', () => {
    const definition: FlowDefinition = {
      ...diamond,
      steps: [
        {
          id: 'first',
          type: 'ai_prompt',
          prompt: 'Hello',
          agent_routing: true,
          routing_options: { more: { add_steps: ['left'] } },
        },
        transform('left'),
      ],
    }
    const two = steps.slice(0, 2)
    const about = { definition, own: undefined, expected: nothingExpected }
    expect(estimateFlow({ ...about, steps: two }).duration.value).toBe(100)
    // History shows that every other execution adds it.
    const known = two.map((it) => ({
      ...it,
      duration: { ...it.duration, source: 'flow_history' as const },
      runShare: it.stepId === 'left' ? 0.5 : 1,
    }))
    expect(estimateFlow({ ...about, steps: known }).duration.value).toBe(600)
  })
})

describe('a running execution', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const estimate = estimateFlow({ definition: diamond, steps, own: undefined, expected: nothingExpected })
  const underWay: RunningExecution = {
    definition: diamond,
    estimate,
    over: [{ stepId: 'first', item: 0 }],
    running: [
      { stepId: 'left', item: 0, startedAt: ago(300) },
      { stepId: 'right', item: 0, startedAt: ago(300) },
    ],
    elapsedMs: 420,
    spent: 1,
    items: 0,
    now,
  }

  test('takes what is left of its longest way', () => {
    expect(predictExecution(underWay)).toMatchObject({
      remainingMs: 700 + 50,
      finalMicroDollars: 1 + 2 + 3 + 4,
      source: 'step_type_history',
      sample: 20,
    })
  })

  test('never takes nothing, though a step takes longer than it should', () => {
    const running = [{ stepId: 'left', item: 0, startedAt: ago(60_000) }]
    const { remainingMs } = predictExecution({
      ...underWay,
      running,
      over: [...underWay.over, { stepId: 'right', item: 0 }],
    })
    expect(remainingMs).toBe(100 + 50)
  })

  test('is surer the less is left', () => {
    const early = predictExecution({ ...underWay, over: [] }).confidence ?? 0
    const late = predictExecution(underWay).confidence ?? 0
    const over = diamond.steps.map(({ id }) => ({ stepId: id, item: 0 }))
    expect(early).toBe(0.5)
    expect(late).toBeGreaterThan(early)
    expect(predictExecution({ ...underWay, over, running: [] })).toMatchObject({
      remainingMs: 0,
      confidence: 1,
      finalMicroDollars: 1,
    })
  })

  test('of a batch goes on as it has gone so far', () => {
    const over = Array.from({ length: 10 }, (_, item) => ({ stepId: 'first', item }))
    expect(predictExecution({ ...underWay, items: 10, over, elapsedMs: 1000 })).toMatchObject({
      remainingMs: 3000,
      finalMicroDollars: 1 + 10 * (2 + 3 + 4),
    })
  })

  test('says nothing when nothing is known', () => {
    const unknown = steps.map((it) => ({ ...it, duration: unknownEstimate, cost: unknownEstimate }))
    const nothing = estimateFlow({
      definition: diamond,
      steps: unknown,
      own: undefined,
      expected: nothingExpected,
    })
    expect(predictExecution({ ...underWay, estimate: nothing })).toEqual({
      remainingMs: null,
      finalMicroDollars: null,
      confidence: null,
      source: null,
      sample: 0,
    })
  })
})

describe('a place in the queue', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const minutes = (...counts: number[]) =>
    counts.map((executions, index) => ({ at: new Date(now.getTime() - (index + 1) * 60_000), executions }))

  test('is reached at the pace of the last minutes', () => {
    expect(predictWait({ position: 20, minutes: minutes(10, 10, 10, 10), now })).toEqual({
      waitMs: 120_000,
      perMinute: 10,
      sample: 40,
    })
  })

  test('does not go by what ended long ago, nor by nothing', () => {
    const old = [{ at: new Date(now.getTime() - 3_600_000), executions: 1000 }]
    expect(predictWait({ position: 1, minutes: old, now })).toEqual({ waitMs: null, perMinute: 0, sample: 0 })
  })
})

test('confidence grows with the sample and falls with the spread', () => {
  expect(confidenceOf({ sample: 0, spread: 0 })).toBeNull()
  expect(confidenceOf({ sample: 5, spread: 0 })).toBe(0.5)
  expect(confidenceOf({ sample: 5, spread: 1 })).toBe(0.25)
  expect(confidenceOf({ sample: 95, spread: 0 })).toBe(0.95)
})
