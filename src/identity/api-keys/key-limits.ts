import { type Static, Type } from 'typebox'
import { type KeyLimits, oneLine } from '#kernel/http'
import { nullable } from '../schemas.ts'

/** Above every sensible budget, and far below the integers that JSON numbers represent exactly. */
const maxMicroDollars = 1_000_000_000_000_000

const budget = (period: string) =>
  Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: maxMicroDollars,
        description: `Budget ${period} in micro-dollars. 0 allows only free models.`,
      }),
    ),
  )

/** The limits of a key in a request. An absent or null field is no limit. */
export const givenLimits = Type.Object(
  {
    models: Type.Optional(
      nullable(
        Type.Array(Type.String({ maxLength: 200, ...oneLine }), {
          minItems: 1,
          maxItems: 100,
          description:
            'The models that the key may call: ids, `provider/id`, or patterns with `*`, such as `openai/gpt-*`.',
        }),
      ),
    ),
    micro_dollars_per_day: budget('for a UTC day'),
    micro_dollars_per_month: budget('for a UTC month'),
    micro_dollars_total: budget('for the whole life of the key'),
    requests_per_minute: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Model calls per minute.' })),
    ),
    tokens_per_minute: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000_000,
          description:
            'Input and output tokens per minute. They count when a call has ended; a call is admitted while the minute is not used up.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
)

export type GivenLimits = Static<typeof givenLimits>

const amount = Type.Union([Type.Integer(), Type.Null()])

/** The limits of a key in a response: null where there is none. */
export const shownLimits = Type.Union(
  [
    Type.Object({
      models: Type.Union([Type.Array(Type.String()), Type.Null()]),
      micro_dollars_per_day: amount,
      micro_dollars_per_month: amount,
      micro_dollars_total: amount,
      requests_per_minute: amount,
      tokens_per_minute: amount,
    }),
    Type.Null(),
  ],
  { description: 'Limits of the key besides those of its account; null: none.' },
)

/** Applies given limits to those of a key: an absent field keeps its value, null removes it. Returns null when none is left. */
export function changeLimits(limits: KeyLimits | null, given: GivenLimits | null): KeyLimits | null {
  if (given === null) return null
  const shown = showLimits(limits) ?? noLimits
  const next = { ...shown, ...given }
  const changed: Record<keyof KeyLimits, unknown> = {
    models: next.models?.length ? [...new Set(next.models.map((name) => name.trim()))] : null,
    microDollarsPerDay: next.micro_dollars_per_day,
    microDollarsPerMonth: next.micro_dollars_per_month,
    microDollarsTotal: next.micro_dollars_total,
    requestsPerMinute: next.requests_per_minute,
    tokensPerMinute: next.tokens_per_minute,
  }
  const set = Object.entries(changed).filter(([, value]) => value !== null && value !== undefined)
  return set.length === 0 ? null : Object.fromEntries(set)
}

const noLimits = {
  models: null,
  micro_dollars_per_day: null,
  micro_dollars_per_month: null,
  micro_dollars_total: null,
  requests_per_minute: null,
  tokens_per_minute: null,
}

/** The limits of a key as responses and audit events have them. */
export function showLimits(limits: KeyLimits | null | undefined): Static<typeof shownLimits> {
  if (limits === null || limits === undefined) return null
  return {
    models: limits.models === undefined ? null : [...limits.models],
    micro_dollars_per_day: limits.microDollarsPerDay ?? null,
    micro_dollars_per_month: limits.microDollarsPerMonth ?? null,
    micro_dollars_total: limits.microDollarsTotal ?? null,
    requests_per_minute: limits.requestsPerMinute ?? null,
    tokens_per_minute: limits.tokensPerMinute ?? null,
  }
}
