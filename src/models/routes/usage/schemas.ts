import { Type } from 'typebox'

const OptionalText = Type.Union([Type.String(), Type.Null()])
const OptionalCount = Type.Union([Type.Integer(), Type.Null()])

/** A day of this millennium, so that every date fits the database. */
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
        'The account; your own by default. Another account, or `all`, needs the permission `administer llm`.',
    }),
  ),
  provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  source: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: '`gateway`, or the module that made the call.',
    }),
  ),
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The id of an API key.' })),
  tag: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'A label of the header `X-Tags`.' }),
  ),
}

const usageStats = {
  calls: Type.Integer(),
  failures: Type.Integer(),
  cancelled: Type.Integer(),
  cache_hits: Type.Integer({ description: 'Responses from the cache.' }),
  unpriced_calls: Type.Integer({
    description: 'Calls with an unknown cost, which `micro_dollars` does not include.',
  }),
  input_tokens: Type.Integer(),
  cached_input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  micro_dollars: Type.Integer(),
  latency_ms_sum: Type.Integer({ description: 'Of answered calls, without cache hits.' }),
  first_token_ms_sum: Type.Integer(),
  first_token_count: Type.Integer({ description: 'Calls with a measured first token.' }),
}

export const Totals = Type.Object(usageStats, { description: 'The totals of all calls.' })

const dimension = Type.Optional(Type.String())

export const Row = Type.Object(
  {
    account: dimension,
    day: dimension,
    provider: dimension,
    model: dimension,
    source: dimension,
    key: dimension,
    tag: Type.Optional(
      Type.String({ description: 'A call with several tags counts for each; `(other)`: further tags.' }),
    ),
    ...usageStats,
  },
  { description: 'The totals of one group.' },
)

export const Call = Type.Object(
  {
    id: Type.String({ description: 'The `X-Call-Id` of the response.' }),
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
      description: 'The price of the model is unknown; `micro_dollars` is 0.',
    }),
    price_source: Type.String(),
    price_version: OptionalText,
    estimated: Type.Boolean({
      description: 'The provider did not report all its usage; tokens and cost are estimated.',
    }),
    latency_ms: OptionalCount,
    first_token_ms: OptionalCount,
    outcome: Type.String(),
    failure_code: OptionalText,
    cache_hit: Type.Boolean(),
    attempts: Type.Integer(),
    key: Type.Union([Type.String(), Type.Null()], { description: 'The id of the API key of the caller.' }),
    tags: Type.Array(Type.String()),
  },
  { description: 'One call.' },
)
