import { expect, test } from 'vitest'
import {
  describePercent,
  describeSeconds,
  dropOffsOf,
  funnelOf,
  seriesOf,
  timesOf,
} from './analytics-words.ts'
import { readTourAnalyticsSearch } from './tour-analytics-search.ts'

const step = {
  id: 'a',
  label: 'Hello',
  weight: 1,
  views: 4,
  completions: 3,
  drop_offs: 1,
  missing: 0,
  drop_off_rate: 25,
  average_time: 2,
}
const totals = {
  views: 8,
  starts: 4,
  completions: 2,
  dismissals: 1,
  completion_rate: 50,
  average_duration: 30,
  average_dismissal_duration: null,
}

test.each([
  [null, '–'],
  [0, '0 s'],
  [8.54, '8.5 s'],
  [60, '1 min'],
  [129.6, '2 min 10 s'],
])('%s seconds are %s', (seconds, words) => {
  expect(describeSeconds(seconds)).toBe(words)
})

test('percent have at most one digit after the point', () => {
  expect(describePercent(66.67)).toBe('66.7 %')
  expect(describePercent(null)).toBe('–')
})

test('the funnel goes from the visitors who saw the tour to those who completed it', () => {
  expect(funnelOf({ totals, steps: [step] })).toEqual([
    { key: 'seen', name: 'Viewed', percent: 100, value: '8', note: '100 %' },
    { key: 'step a', name: '1. Hello', percent: 50, value: '4', note: '50 %' },
    { key: 'completed', name: 'Completed', percent: 25, value: '2', note: '25 %' },
  ])
})

test('the bars of a funnel without visitors have length 0', () => {
  const none = { ...totals, views: 0, starts: 0, completions: 0 }
  expect(funnelOf({ totals: none, steps: [] }).map(({ percent }) => percent)).toEqual([0, 0])
})

test('the length of a drop-off bar is its rate; time bars are relative to the longest time', () => {
  const other = {
    ...step,
    id: 'b',
    weight: 2,
    drop_offs: 0,
    missing: 0,
    drop_off_rate: null,
    average_time: null,
  }
  expect(dropOffsOf([step, other])).toMatchObject([
    { percent: 25, value: '25 %', note: '1' },
    { percent: 0, value: '–', note: '0' },
  ])
  expect(timesOf([step, { ...step, average_time: 8 }, other])).toMatchObject([
    { percent: 25, value: '2 s' },
    { percent: 100, value: '8 s' },
    { percent: 0, value: '–' },
  ])
})

test('the series of a day add up to its views', () => {
  const daily = [{ date: '2026-03-01', views: 5, starts: 3, completions: 4, dismissals: 0 }]
  expect(seriesOf(daily).map(({ values }) => values)).toEqual([[4], [0], [2]])
})

test('the address contains the timeframe unless it is the default', () => {
  expect(readTourAnalyticsSearch({ timeframe: '7d' })).toEqual({ timeframe: '7d' })
  expect(readTourAnalyticsSearch({ timeframe: '30d' })).toEqual({})
  expect(readTourAnalyticsSearch({ timeframe: '1y' })).toEqual({})
})
