import type { calculationMethods } from '../../definition/data-transform-step.ts'
import type { Source } from '../data-transform.ts'
import { StepFailure } from '../step-failure.ts'
import { drawBars } from './draw-bars.ts'
import { type NumbersByField, numbersIn, type WeightedNumber } from './numbers-in.ts'

type Method = (typeof calculationMethods)[number]

interface MetricsOptions {
  readonly calculation_method?: Method | undefined
  readonly fields?: readonly string[] | undefined
  readonly include_visualizations?: boolean | undefined
}

/** Calculates one number per field over all sources that have it, and one over all numbers. Throws INVALID_STEP without numbers. */
export function calculateMetrics(
  sources: readonly Source[],
  options: MetricsOptions,
): Record<string, unknown> {
  const { calculation_method: method = 'average', fields, include_visualizations: draws = false } = options
  const found = sources.map(({ value }) => numbersIn(value, fields))
  const names = fields === undefined ? fieldsIn(found, method) : [...new Set(fields)]
  const byField = names.flatMap((name): [string, WeightedNumber[]][] => {
    const numbers = found.flatMap((numbersOf) => numbersOf.get(name) ?? [])
    return numbers.length === 0 ? [] : [[name, numbers]]
  })
  const all = byField.flatMap(([, numbers]) => numbers)
  if (all.length === 0) {
    throw new StepFailure({
      code: 'INVALID_STEP',
      message:
        fields === undefined
          ? 'The sources of the step contain no number.'
          : `No source of the step has a number for ${fields.join(', ')}.`,
      details: { sources: sources.map(({ name }) => name) },
    })
  }
  const metrics = Object.fromEntries(byField.map(([name, numbers]) => [name, calculate(method, numbers)]))
  return {
    metrics,
    overall: calculate(method, all),
    method,
    values: all.length,
    ...(draws && { chart: drawBars(metrics) }),
  }
}

/** All fields. A weighted average excludes the weights themselves. */
function fieldsIn(found: readonly NumbersByField[], method: Method): string[] {
  const names = new Set(found.flatMap((numbers) => [...numbers.keys()]))
  return [...names].filter((name) => method !== 'weighted_average' || !isWeight(name)).sort()
}

function isWeight(name: string): boolean {
  return name === 'weight' || name.endsWith('.weight')
}

function calculate(method: Method, numbers: readonly WeightedNumber[]): number {
  const values = numbers.map(({ value }) => value)
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
      return round(weightedAverage(numbers))
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

function weightedAverage(numbers: readonly WeightedNumber[]): number {
  const total = numbers.reduce((sum, { weight }) => sum + weight, 0)
  const weighted = numbers.reduce((sum, { value, weight }) => sum + value * weight, 0)
  return total === 0 ? 0 : weighted / total
}

/** Few enough digits that 0.1 + 0.2 is 0.3. */
function round(value: number): number {
  if (!Number.isFinite(value))
    throw new StepFailure({
      code: 'INVALID_STEP',
      message: 'The numbers of the step are too large to add up.',
    })
  return Number(value.toPrecision(12))
}
