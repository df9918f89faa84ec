import type { Problems } from '../content/problems.ts'
import type { Targeting, TargetingInput } from './targeting.ts'

/** Validates targeting and fills in defaults. Adds problems to `found`. */
export function readTargeting(given: TargetingInput, path: string, found: Problems): Targeting {
  const { conditions = [], frequency = 'once', days = null } = given
  for (const [index, { values }] of conditions.entries()) {
    const blank = values.findIndex((value) => value.trim() === '')
    if (blank < 0) continue
    found.invalid.push({
      path: `${path}.conditions[${index}].values[${blank}]`,
      message: 'must not be blank',
      code: 'required',
    })
  }
  const starts_at = readMoment(given.starts_at, `${path}.starts_at`, found)
  const ends_at = readMoment(given.ends_at, `${path}.ends_at`, found)
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at) {
    found.unprocessable.push({ path: `${path}.ends_at`, message: 'must be after starts_at', code: 'order' })
  }
  if (frequency === 'days' && days === null) {
    const message = 'is required with the frequency days'
    found.invalid.push({ path: `${path}.days`, message, code: 'required' })
  }
  return {
    conditions: conditions.map(({ attribute, operator, values }) => ({
      attribute,
      operator,
      values: [...new Set(values.map((value) => value.trim()))],
    })),
    starts_at,
    ends_at,
    frequency,
    days: frequency === 'days' ? days : null,
  }
}

/** A time in UTC, in which texts are ordered like the times. */
function readMoment(text: string | null | undefined, path: string, found: Problems): string | null {
  if (text === null || text === undefined) return null
  const moment = new Date(text)
  const year = moment.getUTCFullYear()
  // Years of other lengths are written differently, and could not be compared as text.
  if (year >= 1970 && year <= 9999) return moment.toISOString()
  found.invalid.push({ path, message: 'must be a date between 1970 and 9999', code: 'format' })
  return null
}
