import { describe, expect, test } from 'vitest'
import { describeDistance, describeDuration } from './describe-time.ts'

const now = new Date('2026-03-01T12:00:00Z')
const secondsFromNow = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('describeDistance', () => {
  test.each([
    [0, 'now'],
    [-0.4, 'now'],
    [-12, '12 s ago'],
    [-59.4, '59 s ago'],
    [-60, '1 min ago'],
    [-3_599, '59 min ago'],
    [-7_300, '2 h ago'],
    [-200_000, '2 d ago'],
    [5, 'in 5 s'],
    [90, 'in 1 min'],
  ])('writes %d seconds from now as "%s"', (seconds, text) => {
    expect(describeDistance(secondsFromNow(seconds), now)).toBe(text)
  })
})

describe('describeDuration', () => {
  test.each([
    [0, '0 ms'],
    [0.25, '250 ms'],
    [1, '1 s'],
    [59.6, '1 min'],
    [90, '1 min 30 s'],
    [3_600, '1 h'],
    [3_661, '1 h 1 min'],
    [273_600, '3 d 4 h'],
  ])('writes %d seconds as "%s"', (seconds, text) => {
    expect(describeDuration(seconds)).toBe(text)
  })
})
