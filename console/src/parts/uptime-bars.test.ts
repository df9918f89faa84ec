import { describe, expect, test } from 'vitest'
import { describeBar, describeBars, describeShare, drawBars, piecesOf } from './uptime-bars.ts'

const bar = (online: number, degraded = 0, offline = 0) => ({ name: 'noon', online, degraded, offline })

describe('the segments of a bar', () => {
  test('one segment when all checks succeeded, none without checks', () => {
    expect(piecesOf(bar(60), 20)).toEqual([{ outcome: 'online', y: 0, height: 20 }])
    expect(piecesOf(bar(0), 20)).toEqual([])
  })

  test('offline checks are at the bottom, with a gap above them', () => {
    expect(piecesOf(bar(30, 0, 30), 20)).toEqual([
      { outcome: 'offline', y: 10, height: 10 },
      { outcome: 'online', y: 0, height: 9 },
    ])
  })

  test('a single failed check of many stays visible', () => {
    const [failed] = piecesOf(bar(1000, 0, 1), 20)
    expect(failed?.outcome).toBe('offline')
    expect(failed?.height).toBeGreaterThan(2)
  })
})

test('all bars are drawn as one path for each outcome; periods without checks are a line at the bottom', () => {
  expect(drawBars([bar(60), bar(0), bar(30, 0, 30)], { step: 3, barWidth: 2, height: 20 })).toEqual([
    { outcome: 'online', d: 'M0 0h2v20h-2zM6 0h2v9h-2z' },
    { outcome: 'none', d: 'M3 18h2v2h-2z' },
    { outcome: 'offline', d: 'M6 10h2v10h-2z' },
  ])
})

test.each([
  [bar(60), '100 % up'],
  [bar(0), 'not checked'],
  [bar(58, 0, 2), '96.7 % up, 2 of 60 checks failed'],
  [bar(50, 10), '100 % up, 10 of 60 checks degraded'],
])('a bar is described in words: %o', (told, words) => {
  expect(describeBar(told)).toBe(words)
})

test('all bars are described in one sentence', () => {
  expect(describeBars([bar(60), bar(60), bar(0)])).toBe('100 % up; no failures in 2 bars')
  expect(describeBars([bar(0)])).toBe('not checked yet')
  expect(describeBars([bar(60), bar(50, 10), bar(0, 0, 60), bar(30, 20, 10)])).toBe(
    '70.8 % up; offline in 2, degraded in 1 of 4 bars',
  )
})

test('a share is shown as 100 % only when it is complete', () => {
  expect([1, 0.99999, 0.9712, 0].map(describeShare)).toEqual(['100 %', '99.99 %', '97.1 %', '0.0 %'])
})
