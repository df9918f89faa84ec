import { describe, expect, test } from 'vitest'
import type { TracedStep } from '../executions/execution-queries.ts'
import { ganttOf, ticksOf } from './gantt.ts'

const step = (more: Partial<TracedStep>): TracedStep =>
  ({
    step_id: 'a',
    state: 'completed',
    ready_at: null,
    started_at: null,
    finished_at: null,
    attempts: [],
    ...more,
  }) as TracedStep

const run = (steps: readonly TracedStep[], finished: number | null = 110) => ({
  steps: [...steps],
  created_at: 90,
  started_at: 100,
  finished_at: finished,
  idle: [],
  within: null,
})

const near = (share: number): unknown => expect.closeTo(share, 9)

const ran = (from: number, to: number) =>
  step({
    started_at: from,
    finished_at: to,
    attempts: [{ run: 1, number: 1, started_at: from, finished_at: to, error: null }],
  })

describe('the Gantt chart of an execution', () => {
  test('is drawn in active time: an idle time has a narrow break of its own', () => {
    const trace = {
      ...run([ran(100, 104), ran(1000, 1006)], 1006),
      idle: [{ from: 104, to: 1000, reason: 'recovery' as const }],
    }
    const { rows, seconds, breaks, placeOf } = ganttOf(trace, 0)
    expect(seconds).toBe(10)
    expect(breaks).toEqual([{ from: near(0.376), length: 0.06, seconds: 896 }])
    expect(rows.map(({ bars }) => bars[0])).toMatchObject([
      { from: 0, length: near(0.376), seconds: 4 },
      { from: near(0.436), length: near(0.564), seconds: 6 },
    ])
    expect([placeOf(2), placeOf(7)]).toEqual([near(0.188), near(0.718)])
  })

  test('of a scope begins with its first step', () => {
    const { seconds, rows } = ganttOf({ ...run([ran(104, 106)], 110), within: 'all/3' }, 0)
    expect([seconds, rows[0]?.bars[0]?.from]).toEqual([2, 0])
  })

  test('has bars for waiting, attempts and the pauses between them', () => {
    const { rows, seconds } = ganttOf(
      run([
        step({
          ready_at: 101,
          started_at: 102,
          finished_at: 110,
          attempts: [
            { run: 1, number: 1, started_at: 102, finished_at: 104, error: { code: 'X', message: 'no' } },
            { run: 1, number: 2, started_at: 106, finished_at: 110, error: null },
          ],
        }),
      ]),
      0,
    )
    expect(seconds).toBe(10)
    expect(rows[0]?.bars).toMatchObject([
      { kind: 'waiting', from: near(0.1), length: near(0.1) },
      { kind: 'failed try', from: near(0.2), length: near(0.2) },
      { kind: 'pause', from: near(0.4), length: near(0.2) },
      { kind: 'completed', from: near(0.6), length: near(0.4) },
    ])
  })

  test('extends the bar of a running step to the current time', () => {
    const running = step({
      state: 'running',
      ready_at: 100,
      started_at: 100,
      attempts: [{ run: 1, number: 1, started_at: 100, finished_at: null, error: null }],
    })
    const { rows, seconds } = ganttOf(run([running], null), 104)
    expect(seconds).toBe(4)
    expect(rows[0]?.bars).toMatchObject([{ kind: 'running', from: 0, length: 1, seconds: 4 }])
  })

  test('has no bar for a skipped step or one that cannot start yet', () => {
    const { rows } = ganttOf(run([step({ state: 'skipped', ready_at: 103 }), step({ state: 'waiting' })]), 0)
    expect(rows.map(({ bars }) => bars)).toEqual([[], []])
  })

  test('aligns a step that started before its execution to the left edge', () => {
    const early = step({
      started_at: 99,
      finished_at: 104,
      attempts: [{ run: 1, number: 1, started_at: 99, finished_at: 104, error: null }],
    })
    const { rows, seconds } = ganttOf(run([early]), 0)
    expect([seconds, rows[0]?.bars[0]?.from]).toEqual([11, 0])
  })

  test('shows a step without measurable duration', () => {
    const quick = step({
      ready_at: 100,
      started_at: 100,
      finished_at: 100,
      attempts: [{ run: 1, number: 1, started_at: 100, finished_at: 100, error: null }],
    })
    expect(ganttOf(run([quick]), 0).rows[0]?.bars).toHaveLength(1)
  })
})

test.each([
  [10, [0, 5]],
  [0.001, [0, 0.0005]],
  [61, [0, 20, 40, 60]],
  [0.49, [0, 0.2, 0.4]],
])('the tick marks of an axis of %s seconds', (seconds, expected) => {
  const ticks = ticksOf(seconds)
  expect(ticks).toHaveLength(expected.length)
  for (const [index, at] of expected.entries()) expect(ticks[index]).toBeCloseTo(at, 9)
})
