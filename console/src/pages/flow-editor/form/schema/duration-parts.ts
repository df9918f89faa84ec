import type { Json } from '../../document/json.ts'

export const durationUnits = [
  { unit: 'ms', word: 'milliseconds' },
  { unit: 's', word: 'seconds' },
  { unit: 'm', word: 'minutes' },
  { unit: 'h', word: 'hours' },
  { unit: 'd', word: 'days' },
] as const

export type DurationUnit = (typeof durationUnits)[number]['unit']

export interface DurationParts {
  readonly amount: string
  readonly unit: DurationUnit
}

/** The amount and the unit of a duration; undefined for another text, such as a placeholder. */
export function readDuration(value: Json | undefined): DurationParts | undefined {
  if (typeof value === 'number') return { amount: String(value), unit: 's' }
  if (typeof value !== 'string') return undefined
  const [, amount, unit = 's'] = /^\s*(\d+(?:\.\d*)?)\s*(ms|s|m|h|d)?\s*$/.exec(value) ?? []
  const known = durationUnits.find((it) => it.unit === unit)
  return amount === undefined || known === undefined ? undefined : { amount, unit: known.unit }
}

export function writeDuration({ amount, unit }: DurationParts): string | undefined {
  const trimmed = amount.trim()
  return trimmed === '' ? undefined : `${trimmed}${unit}`
}
