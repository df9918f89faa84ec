import type { Tour } from '../list/tour-calls.ts'

export type Targeting = Tour['targeting']
export type Condition = Targeting['conditions'][number]

/** Who gets a tour, when and how often, as short phrases. */
export function describeTargeting({ conditions, starts_at, ends_at, frequency, days }: Targeting): string[] {
  return [
    ...(conditions.length === 0 ? ['Every visitor'] : conditions.map(describeCondition)),
    ...(starts_at === null ? [] : [`from ${describeMoment(starts_at)}`]),
    ...(ends_at === null ? [] : [`until ${describeMoment(ends_at)}`]),
    describeFrequency(frequency, days),
  ]
}

export function describeFrequency(frequency: Targeting['frequency'], days: number | null): string {
  if (frequency === 'always') return 'at each visit'
  if (frequency === 'once' || days === null) return 'once per visitor'
  return days === 1 ? 'once a day' : `once every ${days} days`
}

function describeCondition({ attribute, operator, values }: Condition): string {
  const [first = ''] = values
  const list = values.length === 1 ? first : `${operator === 'is' ? 'one' : 'none'} of ${values.join(', ')}`
  return values.length === 1 && operator === 'is_not'
    ? `${attribute} is not ${list}`
    : `${attribute} is ${list}`
}

function describeMoment(moment: string): string {
  return new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** Reads a line such as `role = editor, admin` or `plan != free`. A line that is none has no values: the platform refuses it. */
export function readCondition(line: string): Condition {
  const found = /^\s*([a-z][a-z0-9_-]*)\s*(!?=)\s*(.+)$/i.exec(line)
  const values = (found?.[3] ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  const attribute = (found?.[1] ?? line.trim()).toLowerCase()
  return { attribute, operator: found?.[2] === '!=' ? 'is_not' : 'is', values }
}

export function writeCondition({ attribute, operator, values }: Condition): string {
  return `${attribute} ${operator === 'is' ? '=' : '!='} ${values.join(', ')}`
}

/** A time in the format of the browser's field for dates and times, in the time zone of the user. */
export function toLocalField(moment: string | null): string {
  if (moment === null) return ''
  const date = new Date(moment)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export function fromLocalField(text: string): string | null {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}
