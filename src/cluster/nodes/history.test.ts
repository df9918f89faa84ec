import { describe, expect, test } from 'vitest'
import { createHistory } from './history.ts'

const start = Date.parse('2026-05-04T12:00:00.000Z')

const times = <Value>(length: number, value: Value) => Array.from({ length }, () => value)

/** A history whose time the test moves. */
function historyAt(startMs = start) {
  let nowMs = startMs
  const history = createHistory(() => nowMs)
  return { history, pass: (seconds: number) => (nowMs += seconds * 1000) }
}

describe('the history of a node', () => {
  test('starts with an empty current slice', () => {
    expect(historyAt().history.read()).toEqual({
      slice_seconds: 10,
      ends_at: '2026-05-04T12:00:10.000Z',
      requests: [0],
      failures: [0],
      first_byte_ms: [null],
      probe_ms: [null],
    })
  })

  test('counts in the current slice, oldest slice first', () => {
    const { history, pass } = historyAt()
    history.addRequests(2)
    history.addProbe(1.26)
    pass(10)
    history.addFailures(1)
    pass(20)
    history.addRequests(1)
    expect(history.read()).toMatchObject({
      ends_at: '2026-05-04T12:00:40.000Z',
      requests: [2, 0, 0, 1],
      failures: [0, 1, 0, 0],
      probe_ms: [1.3, null, null, null],
    })
  })

  test('has the median of the current slice and of finished slices', () => {
    const { history, pass } = historyAt()
    for (const ms of [900, 10, 20]) history.addFirstByte(ms)
    expect(history.read().first_byte_ms).toEqual([20])
    for (const ms of [5, 6]) history.addFirstByte(ms)
    pass(10)
    history.addFirstByte(40)
    expect(history.read().first_byte_ms).toEqual([10, 40])
    pass(10)
    expect(history.read().first_byte_ms).toEqual([10, 40, null])
  })

  test('takes the median of the latest responses of a busy slice', () => {
    const { history } = historyAt()
    for (let count = 0; count < 300; count += 1) history.addFirstByte(5000)
    for (let count = 0; count < 256; count += 1) history.addFirstByte(3)
    expect(history.read().first_byte_ms).toEqual([3])
  })

  test('drops slices older than ten minutes', () => {
    const { history, pass } = historyAt()
    history.addRequests(7)
    history.addFirstByte(7)
    pass(590)
    expect(history.read().requests).toEqual([7, ...times(59, 0)])
    pass(10)
    const { requests, first_byte_ms } = history.read()
    expect(requests).toEqual(times(60, 0))
    expect(first_byte_ms).toEqual(times(60, null))
  })

  test('is empty after ten minutes without requests', () => {
    const { history, pass } = historyAt()
    history.addFailures(3)
    history.addFirstByte(3)
    pass(86_400)
    const { failures, first_byte_ms } = history.read()
    expect(failures).toEqual(times(60, 0))
    expect(first_byte_ms.every((ms) => ms === null)).toBe(true)
  })

  test('keeps using the current slice when the clock is set back', () => {
    const { history, pass } = historyAt()
    pass(30)
    history.addRequests(1)
    pass(-25)
    history.addRequests(1)
    expect(history.read()).toMatchObject({ ends_at: '2026-05-04T12:00:40.000Z', requests: [0, 0, 0, 2] })
  })
})
