import { Type } from 'typebox'
import { healthLevels, levelRules, scoreFormula } from '../health/score.ts'
import { serviceNames, serviceStates } from '../services/service.ts'

export const Moment = Type.String({ format: 'date-time' })

const State = Type.Enum([...serviceStates], {
  description:
    '`online`: it answers, in time. `degraded`: it answers slowly or not in full, or keeps changing. `offline`: it does not answer. `unconfigured`: nobody set it up, so it is not missed.',
})

const responseTime = Type.Number({
  description:
    'Milliseconds until the last probe was answered; 0 when it was not, or when there was nothing to ask.',
})

export const HealthReport = Type.Object(
  {
    overallScore: Type.Integer({ minimum: 0, maximum: 100, description: scoreFormula }),
    systemStatus: Type.Object({
      level: Type.Enum([...healthLevels], { description: levelRules }),
      message: Type.String({ description: 'The same in a sentence.' }),
    }),
    services: Type.Array(
      Type.Object({
        name: Type.Enum([...serviceNames]),
        status: State,
        statusText: Type.String({ description: 'What is to be said of it, for people.' }),
        responseTime,
        since: Type.String({ format: 'date-time', description: 'Since when it has this status.' }),
        flapping: Type.Boolean({ description: 'It changed so often lately that it is held as degraded.' }),
        weight: Type.Integer({ description: 'How much it counts in the score.' }),
      }),
    ),
    timestamp: Moment,
  },
  { description: 'How everything is.' },
)

/** What a status can be asked of: the whole, this installation, or one service. */
export const statusTypes = ['general', 'system', ...serviceNames] as const

export const ServiceStatus = Type.Object(
  {
    name: Type.Enum([...statusTypes]),
    status: State,
    statusText: Type.String({ description: 'What is to be said of it, for people.' }),
    responseTime,
    lastCheck: Type.String({ format: 'date-time', description: 'When it was last looked at.' }),
    metadata: Type.Object(
      {
        version: Type.String({ description: 'What runs there.' }),
        models_loaded: Type.Integer({ description: 'Models in memory; of a cloud, all that it offers.' }),
        memory_usage: Type.String({ description: 'With its unit, such as `512.3 MB`.' }),
      },
      { description: 'What was measured besides; `unknown` and 0 where a service has no such thing.' },
    ),
    since: Type.String({ format: 'date-time', description: 'Since when it has this status.' }),
  },
  { description: 'How one service is.' },
)
