import { executionGauges } from '#engine'
import type { ProcessVitals, VitalsPoint, VitalsReading } from '#kernel/vitals'
import type { AnswerCacheFigures, ProviderView } from '#models'
import type { Watched } from '../options.ts'
import { type QueueFacts, readQueue } from '../queue.ts'
import { type DatabaseFacts, measureDatabase } from './measure-database.ts'

/** Everything that health is judged by. */
export interface Facts {
  readonly now: Date
  readonly process: ProcessVitals
  readonly processes: readonly ProcessVitals[]
  readonly queue: QueueFacts
  readonly providers: readonly ProviderView[]
  readonly database: DatabaseFacts
  readonly cache: AnswerCacheFigures
  /** The last hour, and its minutes. */
  readonly hour: VitalsReading
  readonly minutes: readonly VitalsPoint[]
}

const hourMs = 3_600_000

/** Looks at everything. `check` asks providers now, in place of what the last probe saw. */
export async function gatherFacts(watched: Watched, now: Date, { check = false } = {}): Promise<Facts> {
  const { vitals, models, database } = watched
  const period = { from: new Date(now.getTime() - hourMs), to: now, grain: 'minute' } as const
  const seen = await vitals.now()
  const measured = await measureDatabase(database, seen.process.sample.databaseWaiting)
  const [queue, providers, hour, minutes] = await Promise.all([
    readQueue(watched, now),
    check ? models.providers.check() : models.providers.states(),
    vitals.read(period),
    vitals.series({
      ...period,
      gauges: [
        'cpu_percent',
        'memory_percent',
        'disk_percent',
        'event_loop_delay_ms',
        executionGauges.queued,
      ],
    }),
  ])
  return { now, ...seen, queue, providers, database: measured, cache: models.answerCache(), hour, minutes }
}
