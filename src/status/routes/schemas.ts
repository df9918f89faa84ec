import { Type } from 'typebox'
import { healthLevels, levelRules, scoreFormula } from '../health/score.ts'
import { type ServiceName, serviceNamePattern, serviceNames, serviceStates } from '../services/service.ts'

export const Moment = Type.String({ format: 'date-time' })

/** The name of a service. */
export const ServiceNameSchema = Type.Unsafe<ServiceName>({
  type: 'string',
  pattern: serviceNamePattern,
  'x-means': `must be one of ${serviceNames.join(', ')}, or provider: and the name of a model provider`,
  description: `One of ${serviceNames.join(', ')}, or \`provider:\` and the name of a further model provider.`,
})

const State = Type.Enum([...serviceStates], {
  description:
    '`online`: responds in time. `degraded`: slow, partly available or flapping. `offline`: does not respond. `unconfigured`: not set up; does not affect the health.',
})

const responseTime = Type.Number({
  description: 'Response time of the last probe in milliseconds; 0 without a response.',
})

export const HealthReport = Type.Object(
  {
    overallScore: Type.Integer({ minimum: 0, maximum: 100, description: scoreFormula }),
    systemStatus: Type.Object({
      level: Type.Enum([...healthLevels], { description: levelRules }),
      message: Type.String({ description: 'The level as a sentence.' }),
    }),
    services: Type.Array(
      Type.Object({
        name: ServiceNameSchema,
        status: State,
        statusText: Type.String({ description: 'The status as a sentence.' }),
        responseTime,
        since: Type.String({ format: 'date-time', description: 'Start of this status.' }),
        flapping: Type.Boolean({ description: 'It changed so often lately that it is shown as degraded.' }),
        weight: Type.Integer({ description: 'Weight in the score.' }),
      }),
    ),
    timestamp: Moment,
  },
  { description: 'Health of all services.' },
)

/** `general`: all services; `system`: this installation. */
export const aggregateTypes = ['general', 'system'] as const

/** Several services together, or one by its name; further model providers are not listed. */
export const statusTypes = [...aggregateTypes, ...serviceNames] as const

export const ServiceStatus = Type.Object(
  {
    name: Type.String({ description: 'As requested.' }),
    status: State,
    statusText: Type.String({ description: 'The status as a sentence.' }),
    responseTime,
    lastCheck: Type.String({ format: 'date-time', description: 'Time of the last check.' }),
    metadata: Type.Object(
      {
        version: Type.String({ description: 'Version of the service.' }),
        models_loaded: Type.Integer({
          description: 'Loaded models; for a cloud provider, all models it offers.',
        }),
        memory_usage: Type.String({ description: 'With its unit, such as `512.3 MB`.' }),
      },
      { description: 'Additional measurements; `unknown` and 0 where a service has none.' },
    ),
    since: Type.String({ format: 'date-time', description: 'Start of this status.' }),
  },
  { description: 'Status of a service.' },
)
