import { Type } from 'typebox'

const OptionalText = Type.Union([Type.String(), Type.Null()])
const OptionalCount = Type.Union([Type.Integer(), Type.Null()])

/** A day as callers write it. Others than those of this age no database has to know. */
export const Day = Type.String({
  format: 'date',
  pattern: '^2\\d{3}-',
  'x-means': 'must be a day such as 2026-11-15',
  maxLength: 64,
})

export const filterQuery = {
  account: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Whose: your own without it; another account, or `all`, with the permission `administer llm`.',
    }),
  ),
  provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  source: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: '`gateway`, or the part of the platform that asked.',
    }),
  ),
}

const measures = {
  calls: Type.Integer(),
  failures: Type.Integer(),
  cancelled: Type.Integer(),
  cache_hits: Type.Integer({ description: 'Answered from memory.' }),
  unpriced_calls: Type.Integer({
    description: 'Calls whose cost nobody knows; they are not in `micro_dollars`.',
  }),
  input_tokens: Type.Integer(),
  cached_input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  micro_dollars: Type.Integer(),
  latency_ms_sum: Type.Integer({ description: 'Of the calls that were answered, but not from memory.' }),
  first_token_ms_sum: Type.Integer(),
  first_token_count: Type.Integer({ description: 'Calls whose first token was timed.' }),
}

export const Totals = Type.Object(measures, { description: 'All calls of the days together.' })

const dimension = Type.Optional(Type.String())

export const Row = Type.Object(
  {
    account: dimension,
    day: dimension,
    provider: dimension,
    model: dimension,
    source: dimension,
    ...measures,
  },
  { description: 'The calls that have these in common.' },
)

export const Call = Type.Object(
  {
    id: Type.String({ description: '`X-Call-Id` of its answer.' }),
    account: Type.String(),
    source: Type.String(),
    provider: Type.String(),
    model: Type.String(),
    requested_model: Type.String({ description: 'As the caller wrote it.' }),
    started_at: Type.String({ format: 'date-time' }),
    input_tokens: OptionalCount,
    cached_input_tokens: OptionalCount,
    output_tokens: OptionalCount,
    micro_dollars: Type.Integer(),
    unpriced: Type.Boolean({
      description: 'The price of the model is not known; `micro_dollars` is 0 then.',
    }),
    price_source: Type.String(),
    price_version: OptionalText,
    estimated: Type.Boolean({
      description: 'The provider did not say all it counted; tokens and cost are the most it can have been.',
    }),
    latency_ms: OptionalCount,
    first_token_ms: OptionalCount,
    outcome: Type.String(),
    failure_code: OptionalText,
    cache_hit: Type.Boolean(),
    attempts: Type.Integer(),
  },
  { description: 'One call.' },
)

export const Budget = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'In UTC.' }),
    limit_micro_dollars: Type.Integer(),
    spent_micro_dollars: Type.Integer(),
    reserved_micro_dollars: Type.Integer({ description: 'Set aside for calls that run.' }),
    left_micro_dollars: Type.Integer(),
    resets_at: Type.String({ format: 'date-time' }),
  },
  { description: "Today's budget of the account that asks." },
)
