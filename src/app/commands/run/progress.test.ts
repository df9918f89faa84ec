import { describe, expect, test } from 'vitest'
import { advance, lineOf, nothingYet } from './progress.ts'
import { createProgressView, drawLines } from './progress-view.ts'

const events = [
  { event: 'execution_started', data: {} },
  { event: 'step_started', data: { step_id: 'read', step_type: 'external_api' } },
  { event: 'step_retrying', data: { step_id: 'read', attempt: 2, message: 'It answered\nwith 503.' } },
  { event: 'step_completed', data: { step_id: 'read', duration: 1.26, cost: 0 } },
  { event: 'step_started', data: { step_id: 'write', step_type: 'ai_prompt' } },
  { event: 'token', data: { step_id: 'write', text: 'Once upon ' } },
  { event: 'token', data: { step_id: 'write', text: 'a\u001b[2J time' } },
  { event: 'step_skipped', data: { step_id: 'check', reason: '"read" chose another branch' } },
]

const after = (upTo: number) =>
  events.slice(0, upTo).reduce((state, event, index) => advance(state, event, index * 1000), nothingYet)
const options = { now: 10_000, begunAt: 0, most: 20, isLast: false }

const inside = (index: number, step = 'translate') => ({
  step_id: `all/${index}/${step}`,
  parent_step_id: 'all',
  index,
})
const ended = (index: number, finished: number, success = true) => ({
  event: 'scope_finished',
  data: { step_id: 'all', index, success, finished, total: 50 },
})
const loop = [
  { event: 'step_started', data: { step_id: 'all' } },
  { event: 'step_started', data: inside(0) },
  { event: 'step_started', data: inside(1) },
  { event: 'step_completed', data: { ...inside(0), duration: 1, cost: 0.5 } },
  ended(0, 1),
  { event: 'step_started', data: inside(10) },
  { event: 'step_started', data: inside(2) },
  {
    event: 'step_failed',
    data: { ...inside(1), duration: 2, cost: 0.25, error: { message: 'It is down.' } },
  },
  ended(1, 2, false),
]
const afterLoop = (given: readonly { event: string; data: Record<string, unknown> }[]) =>
  given.reduce((state, event) => advance(state, event, 0), nothingYet)
const start = (step: string, item: number) => ({ event: 'step_started', data: { step_id: step, item } })
const wait = (kind: string, until: string) => ({
  event: 'wait_opened',
  data: { step_id: 'review', kind, until, timestamp: Date.parse('2026-11-17T10:00:00Z') / 1000 },
})

describe('the progress of an execution', () => {
  test('is one line per event without a terminal', () => {
    expect(events.map((event) => lineOf(event))).toEqual([
      undefined,
      'running    read',
      'retrying   read  attempt 2: It answered with 503.',
      'completed  read  1.3 s',
      'running    write',
      undefined,
      undefined,
      'skipped    check  "read" chose another branch',
    ])
    const written: string[] = []
    const view = createProgressView({ write: (text) => written.push(text) })
    for (const event of events) view.take(event)
    view.close()
    expect(written).toHaveLength(5)
  })

  test('is redrawn in place on a terminal, with the text of models', () => {
    expect(drawLines(after(8), options)).toEqual([
      '✓ read   1.3 s',
      '● write  6.0 s',
      '– check  "read" chose another branch',
      '  Once upon a[2J time',
      '10.0 s',
    ])
    expect(drawLines(after(3), options)[0]).toBe('↻ read  attempt 2: It answered with 503.')
  })

  test('has a final drawing without the text, which fits the screen', () => {
    expect(drawLines(after(8), { ...options, isLast: true })).toHaveLength(4)
    expect(drawLines(after(8), { ...options, most: 1, isLast: true })).toEqual([
      '  … 2 more above',
      '– check  "read" chose another branch',
      '10.0 s',
    ])
  })

  test('adds up the cost, and shows batch items separately', () => {
    const paid = [0, 1].reduce(
      (state, item) =>
        advance(
          state,
          { event: 'step_completed', data: { step_id: 'ask', item, duration: 2, cost: 0.0125 } },
          0,
        ),
      nothingYet,
    )
    expect(drawLines(paid, { ...options, isLast: true })).toEqual([
      '✓ ask [1]  2.0 s  $0.0125',
      '✓ ask [2]  2.0 s  $0.0125',
      '10.0 s  $0.025',
    ])
  })

  test('shows a container with its counts, and below it the steps that run or failed', () => {
    expect(drawLines(afterLoop(loop), options)).toEqual([
      '● all             10.0 s  2 of 50, 1 failed',
      '  ✗ 1/translate   2.0 s  It is down.',
      '  ● 2/translate   10.0 s',
      '  ● 10/translate  10.0 s',
      '10.0 s  $0.75',
    ])
    const done = [...loop, { event: 'step_completed', data: { step_id: 'all', duration: 9, cost: 0.75 } }]
    // The cost of the container is that of its steps, and not added to it.
    expect(drawLines(afterLoop(done), options).at(-1)).toBe('10.0 s  $0.75')
  })

  test('logs of the steps of a container only what failed, and each scope that ended', () => {
    expect(loop.map((event) => lineOf(event)).filter((line) => line !== undefined)).toEqual([
      'running    all',
      'completed    all/0  1 of 50',
      'failed       all/1/translate  2.0 s  It is down.',
      'failed       all/1  2 of 50',
    ])
  })

  test('shows containers in containers, and keeps the items of a batch apart', () => {
    const nested = [
      ...[0, 1].flatMap((item) =>
        ['all', 'all/3/inner', 'all/3/inner/4/write'].map((step) => start(step, item)),
      ),
      {
        event: 'scope_finished',
        data: { step_id: 'all/3/inner', index: 4, item: 0, success: true, finished: 5, total: 9 },
      },
    ]
    expect(drawLines(afterLoop(nested), options)).toEqual([
      '● all [1]          10.0 s',
      '  ● 3/inner [1]    10.0 s  5 of 9',
      '● all [2]          10.0 s',
      '  ● 3/inner [2]    10.0 s',
      '    ● 4/write [2]  10.0 s',
      '10.0 s',
    ])
  })

  test('shows what a step waits for, but does not log a short pause', () => {
    const human = wait('human', '2026-11-20T10:00:00.123Z')
    expect(lineOf(human)).toBe('waiting    review  for an answer, until 2026-11-20 10:00:00 UTC')
    expect(drawLines(afterLoop([human]), options)[0]).toBe(
      '◌ review  for an answer, until 2026-11-20 10:00:00 UTC',
    )
    expect(lineOf(wait('timer', '2026-11-17T10:00:02Z'))).toBeUndefined()
    expect(lineOf(wait('timer', '2026-11-18T10:00:00Z'))).toBe(
      'waiting    review  until 2026-11-18 10:00:00 UTC',
    )
  })

  test('replaces the previous drawing', () => {
    const written: string[] = []
    const view = createProgressView(
      { isTTY: true, columns: 20, rows: 10, write: (text) => written.push(text) },
      () => 0,
    )
    view.take({
      event: 'step_skipped',
      data: { step_id: 'long', reason: 'a reason that is far too long for it' },
    })
    view.close()
    const [picture = ''] = written
    expect(picture.startsWith('\u001b[0J– long')).toBe(true)
    expect(
      Math.max(
        ...picture
          .replace('\u001b[0J', '')
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBe(19)
  })
})
