import { defineSettings, type SettingsOf, setting } from '#kernel/config'

/** The environment of the engine. */
export const engineSettings = defineSettings({
  executionConcurrency: setting.integer('TUTTI_EXECUTION_CONCURRENCY', {
    about: 'Executions of the queue that one process works on at the same time',
    default: 50,
    min: 1,
    max: 10_000,
  }),
  synchronousConcurrency: setting.integer('TUTTI_SYNCHRONOUS_CONCURRENCY', {
    about:
      'Executions that one process runs directly for callers that wait for the result, besides those of the queue; further ones wait in the queue',
    default: 100,
    min: 0,
    max: 10_000,
  }),
  executionRetentionMs: setting.durationMs('TUTTI_EXECUTION_RETENTION', {
    about: 'How long executions that ended are kept with their steps and logs; analytics do not need them',
    default: 30 * 86_400_000,
    min: 60_000,
    max: 36_500 * 86_400_000,
  }),
  queueLimit: setting.integer('TUTTI_QUEUE_LIMIT', {
    about:
      'Executions of all accounts that may wait in the queue; further ones are refused until some are done',
    default: 100_000,
    min: 1,
    max: 100_000_000,
  }),
})

export type EngineSettings = SettingsOf<typeof engineSettings>
