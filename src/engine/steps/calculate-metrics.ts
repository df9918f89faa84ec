import type { calculationMethods } from '../definition/step-types.ts'
import { StepFailure } from './step-failure.ts'

type Method = (typeof calculationMethods)[number]

/** An input of a transformation. */
export interface Source {
  readonly name: string
  readonly value: unknown
}

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

/** A number with its weight: the field `weight` of the nearest enclosing object, else 1. */
interface WeightedNumber {
  readonly value: number
  readonly weight: number
}

/** Numbers by field. A map, because a field may have any name. */
type NumbersByField = ReadonlyMap<string, readonly WeightedNumber[]>

/** All numbers inside a value by path; with `fields`, only those whose path equals or ends with one of them. */
export function numbersIn(value: unknown, fields?: readonly string[]): NumbersByField {
  const found = new Map<string, WeightedNumber[]>()

  function add(number: WeightedNumber, path: string): void {
    const name = nameOf(path, fields)
    if (name === undefined) return
    const known = found.get(name)
    if (known === undefined) found.set(name, [number])
    else known.push(number)
  }

  /** Recursion is safe: inputs and outputs are nested at most 200 levels deep. */
  function visit(inner: unknown, path: string, weight: number): void {
    const number = readNumber(inner)
    if (number !== undefined) add({ value: number, weight }, path)
    if (typeof inner !== 'object' || inner === null) return
    if (Array.isArray(inner)) {
      // Items of a list share the name of the list.
      for (const item of inner as readonly unknown[]) visit(item, path, weight)
      return
    }
    const own = Object.hasOwn(inner, 'weight') ? readNumber((inner as { weight: unknown }).weight) : undefined
    for (const [key, part] of Object.entries(inner))
      visit(part, path === '' ? key : `${path}.${key}`, own ?? weight)
  }

  visit(value, '', 1)
  return found
}

function nameOf(path: string, fields: readonly string[] | undefined): string | undefined {
  if (fields === undefined) return path === '' ? 'value' : path
  return fields.find((field) => path === field || path.endsWith(`.${field}`))
}

function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const isWritten = typeof value === 'string' && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value)
  return isWritten ? Number(value) : undefined
}

const width = 30
const maxRows = 50
const maxNameLength = 60

/** Draws a bar chart with text characters. */
export function drawBars(numbers: Readonly<Record<string, number>>): string {
  const rows = Object.entries(numbers)
    .slice(0, maxRows)
    .map(([name, value]) => [shorten(name), value] as const)
  const nameWidth = Math.max(0, ...rows.map(([name]) => name.length))
  const largest = Math.max(0, ...rows.map(([, value]) => Math.abs(value)))
  return rows
    .map(([name, value]) => {
      const length = largest === 0 ? 0 : Math.round((Math.abs(value) / largest) * width)
      return `${name.padEnd(nameWidth)} ${'█'.repeat(length)}${length === 0 ? '' : ' '}${value}`
    })
    .join('\n')
}

function shorten(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 1)}…`
}
