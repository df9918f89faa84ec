import { type Static, Type } from 'typebox'
import { oneLine } from '#kernel/http'

const perService = (description: string, minimum: number, maximum: number) =>
  Type.Object(
    {
      database: Type.Integer({ minimum, maximum }),
      queue: Type.Integer({ minimum, maximum }),
      disk: Type.Integer({ minimum, maximum }),
      ollama: Type.Integer({ minimum, maximum }),
      openai: Type.Integer({ minimum, maximum }),
      anthropic: Type.Integer({ minimum, maximum }),
      gemini: Type.Integer({ minimum, maximum }),
      providers: Type.Integer({ minimum, maximum, description: 'Of each further model provider.' }),
      vector_db: Type.Integer({ minimum, maximum }),
      mcp: Type.Integer({ minimum, maximum }),
    },
    { description, additionalProperties: false },
  )

const slowMs = perService(
  'Response time in milliseconds above which a service is degraded. For `queue`: the longest expected wait of new work.',
  1,
  600_000,
)

const weights = perService(
  'Weight of each service in the score. Unconfigured services do not count. At least one weight must be above 0.',
  0,
  100,
)

const damping = Type.Object(
  {
    worse: Type.Integer({
      minimum: 1,
      maximum: 10,
      description: 'Consecutive worse probes before the status gets worse.',
    }),
    better: Type.Integer({
      minimum: 1,
      maximum: 10,
      description: 'Consecutive better probes before the status gets better.',
    }),
    flapping_changes: Type.Integer({
      minimum: 2,
      maximum: 100,
      description:
        'Status changes within `flapping_minutes` from which on a service counts as flapping and is shown as degraded. Twice as many probes with alternating results have the same effect.',
    }),
    flapping_minutes: Type.Integer({
      minimum: 1,
      maximum: 120,
      description: 'Minutes without a change until flapping ends.',
    }),
  },
  { description: 'Damping of status changes.', additionalProperties: false },
)

const disk = Type.Object(
  {
    degraded_percent: Type.Integer({ minimum: 1, maximum: 100 }),
    offline_percent: Type.Integer({ minimum: 1, maximum: 100 }),
  },
  {
    description:
      'Limits of the disk usage of the data folder. `degraded_percent` must not be above `offline_percent`.',
    additionalProperties: false,
  },
)

const fields = {
  interval_seconds: Type.Integer({
    minimum: 10,
    maximum: 600,
    description: 'Seconds between two rounds of probes, accurate to a few seconds.',
  }),
  timeout_seconds: Type.Integer({
    minimum: 1,
    maximum: 30,
    description: 'Timeout of a probe in seconds. Must be below `interval_seconds`.',
  }),
  page_title: Type.String({
    minLength: 1,
    maxLength: 100,
    ...oneLine,
    description: 'Title of the public status page.',
  }),
}

/** Interval, limits and weights of the probes. */
export const StatusConfigSchema = Type.Object({ ...fields, slow_ms: slowMs, weights, damping, disk })

export type StatusConfig = Static<typeof StatusConfigSchema>

const partial = { additionalProperties: false } as const

/** A partial change: fields that are left out stay unchanged. */
export const ConfigChangeSchema = Type.Object(
  {
    interval_seconds: Type.Optional(fields.interval_seconds),
    timeout_seconds: Type.Optional(fields.timeout_seconds),
    page_title: Type.Optional(fields.page_title),
    slow_ms: Type.Optional(Type.Partial(slowMs, partial)),
    weights: Type.Optional(Type.Partial(weights, partial)),
    damping: Type.Optional(Type.Partial(damping, partial)),
    disk: Type.Optional(Type.Partial(disk, partial)),
  },
  partial,
)

export type ConfigChange = Static<typeof ConfigChangeSchema>

export const defaultConfig: StatusConfig = {
  interval_seconds: 30,
  timeout_seconds: 5,
  page_title: 'Status',
  slow_ms: {
    database: 250,
    queue: 60_000,
    disk: 1000,
    ollama: 2000,
    openai: 2000,
    anthropic: 2000,
    gemini: 2000,
    providers: 2000,
    vector_db: 2000,
    mcp: 2000,
  },
  weights: {
    database: 30,
    queue: 20,
    disk: 10,
    ollama: 15,
    openai: 10,
    anthropic: 10,
    gemini: 10,
    providers: 5,
    vector_db: 5,
    mcp: 5,
  },
  damping: { worse: 2, better: 2, flapping_changes: 4, flapping_minutes: 10 },
  disk: { degraded_percent: 90, offline_percent: 98 },
}

export function changeConfig(config: StatusConfig, change: ConfigChange): StatusConfig {
  return {
    interval_seconds: change.interval_seconds ?? config.interval_seconds,
    timeout_seconds: change.timeout_seconds ?? config.timeout_seconds,
    page_title: change.page_title ?? config.page_title,
    slow_ms: { ...config.slow_ms, ...change.slow_ms },
    weights: { ...config.weights, ...change.weights },
    damping: { ...config.damping, ...change.damping },
    disk: { ...config.disk, ...change.disk },
  }
}

interface ConfigProblem {
  readonly path: string
  readonly message: string
}

/** Checks the rules that involve several fields. */
export function findConfigProblems({
  interval_seconds,
  timeout_seconds,
  weights: given,
  disk: limits,
}: StatusConfig): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = []
  if (timeout_seconds >= interval_seconds)
    problems.push({ path: 'timeout_seconds', message: 'must be less than interval_seconds' })
  if (Object.values(given).every((weight) => weight === 0))
    problems.push({ path: 'weights', message: 'must have at least one above 0' })
  if (limits.degraded_percent > limits.offline_percent)
    problems.push({ path: 'disk.degraded_percent', message: 'must not be above disk.offline_percent' })
  return problems
}
