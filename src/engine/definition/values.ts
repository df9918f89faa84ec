import { Type } from 'typebox'

/** The id of a step, or a reference to it. */
export function stepId(description: string) {
  return Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    'x-means': 'must be up to 64 letters, digits, hyphens and underscores',
    description,
  })
}

/** The id of a flow, or a reference to it. */
export function flowId(description: string) {
  return Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    'x-means': 'must be up to 64 lower-case letters, digits, hyphens and underscores',
    description,
  })
}

/** A key of the shared memory; the first part of a path. */
export function memoryKey(description: string) {
  return Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$',
    'x-means': 'must be a letter or underscore, then up to 63 letters, digits, hyphens and underscores',
    description,
  })
}

/** A dotted path into context and shared memory. */
export function path(description: string) {
  return Type.String({ minLength: 1, maxLength: 256, description })
}

/** A text in which `{{path}}` inserts a value of the context or the shared memory. */
export function template(description: string) {
  return Type.String({ minLength: 1, maxLength: 100_000, description })
}

/** Whole numbers below the maximum duration of seven days, in each unit, and exactly seven days. */
const upToSevenDays = [
  String.raw`\d{1,6}(\.\d{1,3})?ms`,
  String.raw`(\d{1,5}|[1-5]\d{5}|60[0-3]\d{3}|604[0-7]\d{2})(\.\d{1,3})?s|604800s`,
  String.raw`(\d{1,4}|100[0-7]\d)(\.\d{1,3})?m|10080m`,
  String.raw`(\d{1,2}|1[0-5]\d|16[0-7])(\.\d{1,3})?h|168h`,
]

/** Seconds, or a text such as `30s`, `5m` or `1h`; seven days at most. */
export function duration(description: string) {
  return Type.Union(
    [
      Type.Number({ minimum: 0.001, maximum: 604_800 }),
      Type.String({
        pattern: `^(?=.*[1-9])(${upToSevenDays.join('|')})$`,
        'x-means': 'must be a number and ms, s, m or h, such as 30s, and at most 168h (7 days)',
      }),
    ],
    { description: `${description} At most 7 days (\`168h\`).` },
  )
}

export const Duration = duration('Seconds, or a text such as `30s`, `5m` or `1h`.')

/** Megabytes, or a text such as `512MB`. */
export function memorySize(description: string) {
  return Type.Union(
    [
      Type.Number({ minimum: 0.001, maximum: 1_048_576 }),
      Type.String({
        pattern: '^(?=.*[1-9])\\d{1,7}(\\.\\d{1,3})?(KB|MB|GB)$',
        'x-means': 'must be a number and KB, MB or GB, such as 512MB',
      }),
    ],
    { description },
  )
}

export const MemorySize = memorySize('Megabytes, or a text such as `512MB`.')

/** Dollars, with the precision of a micro-dollar. */
export function dollars(description: string) {
  return Type.Number({ minimum: 0, maximum: 1_000_000, description })
}

export const Dollars = dollars('Dollars.')

const millisecondsIn = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const
const bytesIn = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 } as const

/** Parses a value that the schema above accepted. */
export function durationMs(given: number | string): number {
  if (typeof given === 'number') return Math.ceil(given * 1000)
  const [, amount, unit] = /^([\d.]+)(ms|s|m|h)$/.exec(given) ?? []
  return Math.ceil(Number(amount) * millisecondsIn[unit as keyof typeof millisecondsIn])
}

/** Parses a value that the schema above accepted. */
export function memoryBytes(size: number | string): number {
  if (typeof size === 'number') return Math.floor(size * bytesIn.MB)
  const [, amount, unit] = /^([\d.]+)(KB|MB|GB)$/.exec(size) ?? []
  return Math.floor(Number(amount) * bytesIn[unit as keyof typeof bytesIn])
}

/** Rounds down to a micro-dollar, so that a limit is never exceeded. */
export function microDollars(given: number): number {
  // Uses the decimal text: the binary number of 0.29 is slightly smaller.
  const [whole = '0', fraction = ''] = given.toFixed(9).split('.')
  return Number(whole) * 1_000_000 + Number(fraction.slice(0, 6))
}
