import { Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { placeholdersIn } from '../../expressions/templates.ts'
import { checkTemplate } from './check-values.ts'
import { inValue, type UsedPath } from './used-paths.ts'

/** A wait lasts at most this long. */
export const maxWaitMs = 400 * 86_400_000

const millisecondsIn = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A duration in milliseconds: seconds, or a text such as `30s`, `2h` or `7d`. Undefined: it is none, or longer than 400 days. */
export function waitMs(given: number | string): number | undefined {
  const [, amount, unit = 's'] = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(String(given).trim()) ?? []
  if (amount === undefined) return undefined
  const durationMs = Math.ceil(Number(amount) * millisecondsIn[unit as keyof typeof millisecondsIn])
  return durationMs <= maxWaitMs ? durationMs : undefined
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** A time in ISO 8601 with an offset. Undefined: it is none. */
export function readTime(text: string): Date | undefined {
  const trimmed = text.trim()
  const at = new Date(trimmed)
  return isoTime.test(trimmed) && !Number.isNaN(at.getTime()) ? at : undefined
}

/** A duration that a step waits at most; `description` says for what. */
export function timeoutField(description: string) {
  return Type.Optional(
    Type.Union([Type.Number({ minimum: 1 }), Type.String({ minLength: 1, maxLength: 1000 })], {
      description,
    }),
  )
}

/** The fields of steps that wait for an answer of others; `when` says what has not happened. */
export function timeoutFields(when: string) {
  return {
    timeout: timeoutField(
      'How long it waits: seconds, or a text such as `2h` or `7d`. At most 400 days. May contain `{{path}}`. Default: 30 days.',
    ),
    on_timeout: Type.Optional(
      Type.Enum(['fail', 'continue'], {
        description: `What happens when ${when} in time: \`fail\` fails the step, \`continue\` continues with \`default\`. Default: \`fail\`.`,
      }),
    ),
    default: Type.Optional(
      Type.Unknown({
        description:
          'The value after the timeout, with `on_timeout: continue`. May contain `{{path}}`. Default: null.',
      }),
    ),
  }
}

interface TimeoutFields {
  readonly timeout?: number | string
  readonly on_timeout?: 'fail' | 'continue'
  readonly default?: unknown
}

/** Checks a duration; one with placeholders is read when the step starts. */
export function checkDuration(given: number | string | undefined, place: string): Problem[] {
  const problems = checkTemplate(given, place)
  if (given === undefined || placeholdersIn(given).length > 0 || waitMs(given) !== undefined) return problems
  const message = 'must be a number and ms, s, m, h or d, such as 2h or 7d, and at most 400d'
  return [...problems, { path: place, message, code: 'value' }]
}

export function checkTimeout(
  { timeout, on_timeout: then, default: value }: TimeoutFields,
  place: string,
): Problem[] {
  const problems = [
    ...checkDuration(timeout, `${place}.timeout`),
    ...checkTemplate(value, `${place}.default`),
  ]
  if (value !== undefined && then !== 'continue') {
    problems.push({
      path: `${place}.default`,
      message: 'has no effect without on_timeout: continue',
      code: 'no_effect',
    })
  }
  return problems
}

/** The paths that the fields of `timeoutFields` read. */
export function pathsInTimeout({ timeout, default: value }: TimeoutFields): UsedPath[] {
  return [...inValue(timeout, 'timeout'), ...inValue(value, 'default')]
}
