import { array, assert, constantFrom, dictionary, integer, oneof, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calculationMethods } from '../definition/step-types.ts'
import { calculateMetrics } from './calculate-metrics.ts'

type Method = (typeof calculationMethods)[number]

const sourcesOf = (...values: readonly unknown[]) =>
  values.map((value, index) => ({ name: `source_${index}`, value }))

/** A reference implementation for flat objects of numbers, each with its weight. */
function plainly(method: Method, numbers: readonly { value: number; weight: number }[]): number {
  const values = numbers.map(({ value }) => value)
  const sorted = values.toSorted((one, other) => one - other)
  const sum = values.reduce((total, value) => total + value, 0)
  const weights = numbers.reduce((total, { weight }) => total + weight, 0)
  const half = Math.floor(sorted.length / 2)
  const plain: Record<Method, number> = {
    average: sum / values.length,
    weighted_average: numbers.reduce((total, { value, weight }) => total + value * weight, 0) / weights,
    sum,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
    median:
      sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2,
    count: values.length,
  }
  return plain[method]
}

describe('metrics', () => {
  test('count every number once, per field and in total', () => {
    expect(calculateMetrics(sourcesOf([1, 2]), { calculation_method: 'count' })).toEqual({
      metrics: { value: 2 },
      overall: 2,
      method: 'count',
      values: 2,
    })
    const chosen = calculateMetrics(sourcesOf({ score: 5, weight: 3, bodyweight: 70 }), {
      calculation_method: 'count',
      fields: ['score'],
    })
    expect(chosen).toMatchObject({ metrics: { score: 1 }, overall: 1, values: 1 })
  })

  test('in total cover all numbers, not the results of the fields', () => {
    const found = calculateMetrics(sourcesOf({ a: [10, 20, 30], b: 100 }), {})
    expect(found).toMatchObject({ metrics: { a: 20, b: 100 }, overall: 40, values: 4 })
  })

  test('use the weight next to each number', () => {
    const options = { calculation_method: 'weighted_average' } as const
    const items = [
      { score: 80, weight: 3 },
      { score: 40, weight: 1 },
    ]
    const expected = { metrics: { score: 70 }, overall: 70, values: 2 }
    expect(calculateMetrics(sourcesOf(...items), options)).toMatchObject(expected)
    expect(calculateMetrics(sourcesOf(items), options)).toMatchObject(expected)
    expect(calculateMetrics(sourcesOf(items), { ...options, fields: ['score'] })).toMatchObject(expected)
  })

  test('equal the reference implementation for any sources', () => {
    const number = integer({ min: -1000, max: 1000 })
    const fields = dictionary(constantFrom('a', 'b', 'c'), oneof(number, array(number, { maxLength: 4 })), {
      minKeys: 1,
    })
    const weighted = array(integer({ min: 1, max: 9 }), { minLength: 20, maxLength: 20 })
    assert(
      property(
        array(fields, { minLength: 1, maxLength: 20 }),
        weighted,
        constantFrom(...calculationMethods),
        (given, weights, method) => {
          const isWeighted = method === 'weighted_average'
          const sources = given.map((source, index) =>
            isWeighted ? { ...source, weight: weights[index] } : source,
          )
          const numbers = given.flatMap((source, index) =>
            Object.entries(source).flatMap(([name, value]) =>
              [value].flat().map((it) => ({ name, value: it, weight: weights[index] ?? 1 })),
            ),
          )
          if (numbers.length === 0) return
          const found = calculateMetrics(sourcesOf(...sources), { calculation_method: method })
          expect(found).toMatchObject({ values: numbers.length })
          expect(found['overall']).toBeCloseTo(plainly(method, numbers), 6)
          for (const [name, some] of Map.groupBy(numbers, (it) => it.name)) {
            const { [name]: metric } = found['metrics'] as Record<string, number>
            expect(metric).toBeCloseTo(plainly(method, some), 6)
          }
        },
      ),
    )
  })
})
