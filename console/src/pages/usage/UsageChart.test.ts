import { describe, expect, test } from 'vitest'
import { toSeries } from './UsageChart.tsx'
import type { UsageRow } from './usage-queries.ts'

const days = ['2026-11-13', '2026-11-14', '2026-11-15']

function row(day: string, model: string, calls: number): UsageRow {
  return {
    day,
    model,
    calls,
    failures: 0,
    cancelled: 0,
    cache_hits: 0,
    unpriced_calls: 0,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    micro_dollars: 0,
    latency_ms_sum: 0,
    first_token_ms_sum: 0,
    first_token_count: 0,
  }
}

const options = {
  days,
  most: 3,
  nameOf: ({ model = '' }: UsageRow) => model,
  valueOf: ({ calls }: UsageRow) => calls,
}

describe('toSeries', () => {
  test('assigns every row to its day, the largest series first', () => {
    const rows = [row('2026-11-13', 'small', 1), row('2026-11-13', 'large', 5), row('2026-11-15', 'large', 2)]
    expect(toSeries(rows, options)).toEqual([
      { name: 'large', values: [5, 0, 2] },
      { name: 'small', values: [1, 0, 0] },
    ])
  })

  test('combines the smallest series beyond the limit', () => {
    const rows = ['a', 'b', 'c', 'd'].map((name, index) => row('2026-11-14', name, 10 - index))
    expect(toSeries(rows, options)).toEqual([
      { name: 'a', values: [0, 10, 0] },
      { name: 'b', values: [0, 9, 0] },
      { name: '2 others', values: [0, 15, 0] },
    ])
  })

  test('leaves out empty series and days outside the range', () => {
    const rows = [row('2026-11-14', 'idle', 0), row('2020-01-01', 'old', 9)]
    expect(toSeries(rows, options)).toEqual([])
  })
})
