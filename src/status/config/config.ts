import { type Static, Type } from 'typebox'
import { oneLine } from '#kernel/http'
import { serviceNames } from '../services/service.ts'

/** A number for each service. */
const perService = (description: string, minimum: number, maximum: number) =>
  Type.Object(
    {
      database: Type.Integer({ minimum, maximum }),
      queue: Type.Integer({ minimum, maximum }),
      disk: Type.Integer({ minimum, maximum }),
      ollama: Type.Integer({ minimum, maximum }),
      openai: Type.Integer({ minimum, maximum }),
      anthropic: Type.Integer({ minimum, maximum }),
      vector_db: Type.Integer({ minimum, maximum }),
      mcp: Type.Integer({ minimum, maximum }),
    },
    { description, additionalProperties: false },
  )

const slowMs = perService(
  'Milliseconds after which the answer of a service is slow, and the service degraded. For `queue`: how long work may be expected to wait.',
  1,
  600_000,
)

const weights = perService(
  'How much each service counts in the score. Those that are unconfigured do not count. At least one is above 0.',
  0,
  100,
)

const damping = Type.Object(
  {
    worse: Type.Integer({
      minimum: 1,
      maximum: 10,
      description: 'Probes in a row that must be worse before the service is told to be.',
    }),
    better: Type.Integer({
      minimum: 1,
      maximum: 10,
      description: 'Probes in a row that must be better before the service is told to be.',
    }),
    flapping_changes: Type.Integer({
      minimum: 2,
      maximum: 100,
      description:
        'Changes within `flapping_minutes` from which on a service is held as degraded. Twice as many probes that each saw another state than the one before do the same.',
    }),
    flapping_minutes: Type.Integer({
      minimum: 1,
      maximum: 120,
      description: 'How long it has to be calm until it is told as it is again.',
    }),
  },
  { description: 'What it takes to change what is told.', additionalProperties: false },
)

const disk = Type.Object(
  {
    degraded_percent: Type.Integer({ minimum: 1, maximum: 100 }),
    offline_percent: Type.Integer({ minimum: 1, maximum: 100 }),
  },
  {
    description:
      'How full the disk of the data folder may be. `degraded_percent` is not above `offline_percent`.',
    additionalProperties: false,
  },
)

const fields = {
  interval_seconds: Type.Integer({
    minimum: 10,
    maximum: 600,
    description: 'Between two rounds of probes, to within a few seconds.',
  }),
  timeout_seconds: Type.Integer({
    minimum: 1,
    maximum: 30,
    description: 'How long a probe may take. Shorter than the interval.',
  }),
  page_title: Type.String({
    minLength: 1,
    maxLength: 100,
    ...oneLine,
    description: 'The title of the public status page.',
  }),
}

/** How services are watched. */
export const StatusConfigSchema = Type.Object({ ...fields, slow_ms: slowMs, weights, damping, disk })

export type StatusConfig = Static<typeof StatusConfigSchema>

const partial = { additionalProperties: false } as const

/** A change of it: whatever is left out stays as it is. */
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
    vector_db: 2000,
    mcp: 2000,
  },
  weights: { database: 30, queue: 20, disk: 10, ollama: 15, openai: 10, anthropic: 10, vector_db: 5, mcp: 5 },
  damping: { worse: 2, better: 2, flapping_changes: 4, flapping_minutes: 10 },
  disk: { degraded_percent: 90, offline_percent: 98 },
}

/** The configuration with some of it changed. */
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

/** What no single field shows. */
export function findConfigProblems({
  interval_seconds,
  timeout_seconds,
  weights: given,
  disk: limits,
}: StatusConfig): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = []
  if (timeout_seconds >= interval_seconds)
    problems.push({ path: 'timeout_seconds', message: 'must be less than interval_seconds' })
  if (serviceNames.every((name) => given[name] === 0))
    problems.push({ path: 'weights', message: 'must have at least one above 0' })
  if (limits.degraded_percent > limits.offline_percent)
    problems.push({ path: 'disk.degraded_percent', message: 'must not be above disk.offline_percent' })
  return problems
}
