import { Type } from 'typebox'
import { integer, maybeInteger, maybeNumber, maybeText, number, text, texts } from '../../schemas/values.ts'

const Provider = Type.Object({
  status: Type.Enum(['online', 'degraded', 'offline', 'unconfigured']),
  response_time: maybeNumber('Seconds of the last probe; null when it was not asked or did not answer.'),
  active_connections: integer('Calls of this process that it is working on.'),
  models_available: texts('The ids of the models it can answer with.'),
  rate_limit_remaining: maybeInteger(
    'Requests it still takes, as its last answer to this process said; null when it does not say.',
  ),
  last_error: maybeText('What is wrong; null when nothing is.'),
  checked_at: integer('When it was last probed, every 30 seconds. Epoch seconds.'),
  since: integer('Since when it has this status. Epoch seconds.'),
})

export const LiveStatus = Type.Object(
  {
    system_status: Type.Object({
      status: Type.Enum(['operational', 'partial', 'offline'], {
        description:
          'offline: no worker runs executions. partial: a provider that is set up does not answer well, the queue is stuck, or the machine is at its limits.',
      }),
      uptime: number('Seconds since the process that answers began.'),
      version: text('Of the platform.'),
      environment: text('`development`, `production` or `test`.'),
    }),
    active_workflows: Type.Array(
      Type.Object({
        id: text('The execution.'),
        workflow_id: text('The workflow it runs.'),
        started_at: integer('Epoch seconds.'),
        progress: number('Percentage of steps that are over.'),
        current_step: maybeText('Null between two steps.'),
        estimated_completion: maybeInteger('Epoch seconds; null when nothing is known to estimate by.'),
      }),
      { description: 'Executions under way that you may see, the oldest first; 50 at most.' },
    ),
    resource_usage: Type.Object(
      {
        cpu_usage: maybeNumber('Percent of the processors of the machine.'),
        memory_usage: number('Percent of the memory of the machine, or of what its container may have.'),
        disk_usage: maybeNumber('Percent of the disk that holds the data folder.'),
        network_io: maybeNumber('Bytes a second, in and out; null where the system does not tell.'),
        network_in: maybeNumber('Bytes a second.'),
        network_out: maybeNumber('Bytes a second.'),
      },
      { description: 'Of the machine that answers, over the last seconds.' },
    ),
    ai_provider_status: Type.Record(Type.String(), Provider, { description: 'By the name of the provider.' }),
    queue_status: Type.Object({
      pending_items: integer('Executions that wait, whatever for.'),
      processing_rate: number('Executions that ended in a minute, in the last quarter of an hour.'),
      estimated_wait: maybeNumber(
        'Seconds until one that is added now begins; null when nothing has ended lately to measure by.',
      ),
      failed_items_24h: integer('Executions that failed in the last 24 hours, up to five seconds ago.'),
    }),
    timestamp: integer('Epoch seconds.'),
    server_time: Type.String({ format: 'date-time' }),
  },
  { description: 'How the platform is at this moment.' },
)
