import { describe, expect, test } from 'vitest'
import { advance, createProgressView, drawLines, lineOf, nothingYet } from './progress.ts'

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
