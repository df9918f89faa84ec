import type { calculationMethods } from '../../definition/data-transform-step.ts'
import type { Source } from '../data-transform.ts'
import { StepFailure } from '../step-failure.ts'
import { drawBars } from './draw-bars.ts'
import { type NumberByField, numbersIn } from './numbers-in.ts'

type Method = (typeof calculationMethods)[number]

interface MetricsOptions {
  readonly calculation_method?: Method | undefined
  readonly fields?: readonly string[] | undefined
  readonly include_visualizations?: boolean | undefined
}

/** Calculates one number for each field over all sources that have it, and one over all of them. */
export function calculateMetrics(
  sources: readonly Source[],
  options: MetricsOptions,
): Record<string, unknown> {
  const { calculation_method: method = 'average', fields, include_visualizations: draws = false } = options
  const found = sources.map(({ value }) => numbersIn(value, fields))
  const names = fields ?? [...new Set(found.flatMap((numbers) => [...numbers.keys()]))].sort()
  const calculated = names.flatMap((name): [string, number][] => {
    const values = found.flatMap((numbers) => numbers.get(name) ?? [])
    return values.length === 0 ? [] : [[name, calculate(method, values, weightsOf(found, name))]]
  })
  const all = calculated.map(([, number]) => number)
  if (all.length === 0) {
    throw new StepFailure({
      code: 'INVALID_STEP',
      message:
        fields === undefined
          ? 'There is no number in its sources.'
          : `None of its sources has a number for ${fields.join(', ')}.`,
      details: { sources: sources.map(({ name }) => name) },
    })
  }
  const metrics = Object.fromEntries(calculated)
  return {
    metrics,
    overall: calculate(
      method,
      all,
      all.map(() => 1),
    ),
    method,
    values: found.reduce((count, numbers) => count + countOf(numbers), 0),
    ...(draws && { chart: drawBars(metrics) }),
  }
}

function countOf(numbers: NumberByField): number {
  return [...numbers.values()].reduce((count, values) => count + values.length, 0)
}

/** A source may say with a field `weight` how much its numbers count. */
function weightsOf(found: readonly NumberByField[], name: string): number[] {
  return found.flatMap((numbers) => (numbers.get(name) ?? []).map(() => numbers.get('weight')?.[0] ?? 1))
}

function calculate(method: Method, values: readonly number[], weights: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0)
  switch (method) {
    case 'sum':
      return round(sum)
    case 'min':
      return values.reduce((least, value) => Math.min(least, value))
    case 'max':
      return values.reduce((most, value) => Math.max(most, value))
    case 'count':
      return values.length
    case 'median':
      return round(medianOf(values))
    case 'weighted_average':
      return round(weightedAverage(values, weights))
    default:
      return round(sum / values.length)
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

function weightedAverage(values: readonly number[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const weighted = values.reduce((sum, value, index) => sum + value * (weights[index] ?? 1), 0)
  return total === 0 ? 0 : weighted / total
}

/** Enough digits for people, few enough that 0.1 + 0.2 is 0.3. */
function round(value: number): number {
  if (!Number.isFinite(value))
    throw new StepFailure({ code: 'INVALID_STEP', message: 'Its numbers are too large to be added up.' })
  return Number(value.toPrecision(12))
}
