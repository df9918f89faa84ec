import { defineSettings, type SettingsOf, setting } from '#kernel/config'

export const engineSettings = defineSettings({
  executionConcurrency: setting.integer('TUTTI_EXECUTION_CONCURRENCY', {
    about: 'Queued executions that one process runs at the same time',
    default: 50,
    min: 1,
    max: 10_000,
  }),
  synchronousConcurrency: setting.integer('TUTTI_SYNCHRONOUS_CONCURRENCY', {
    about:
      'Synchronous executions that one process runs at the same time, in addition to queued ones; further ones are queued',
    default: 100,
    min: 0,
    max: 10_000,
  }),
  executionRetentionMs: setting.durationMs('TUTTI_EXECUTION_RETENTION', {
    editable: { section: 'retention', label: 'Executions' },
    about: 'How long ended executions are kept with their steps and logs; analytics are kept longer',
    default: 30 * 86_400_000,
    min: 60_000,
    max: 36_500 * 86_400_000,
  }),
  searchUrl: setting.url('TUTTI_SEARCH_URL', ['http:', 'https:'], {
    about:
      'Search service with the JSON API of SearXNG, for the tool `search` of agents; a private address must also be in TUTTI_OUTBOUND_ALLOW',
    optional: true,
  }),
  queueLimit: setting.integer('TUTTI_QUEUE_LIMIT', {
    about:
      'Maximum of queued executions of all accounts; further ones are refused until the queue is shorter. One account may have at most four fifths of it',
    default: 100_000,
    min: 1,
    max: 100_000_000,
  }),
})

export type EngineSettings = SettingsOf<typeof engineSettings>
