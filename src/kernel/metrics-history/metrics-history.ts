import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import { createSampler, type Sample } from './machine-sample.ts'
import { createProcesses, type ProcessMetrics, type ProcessSample } from './processes.ts'
import { type MetricsPoint, type MetricsReading, pointOf, readingOf, requestMetricNames } from './reading.ts'
import {
  coverTime,
  createMinuteBuffer,
  type Grain,
  grainMs,
  kindOf,
  nameOfApi,
  nameOfKind,
  type RecordedResponse,
  requestDurations,
  startOf,
} from './recording.ts'
import { createMetricsHistoryStore } from './store.ts'

/** A period, and the resolution of its rows. */
interface MetricsPeriod {
  readonly from: Date
  /** Exclusive. */
  readonly to: Date
  /** The finest rows to use: minutes are kept for two days, hours for ninety days, days for two years. */
  readonly grain: Grain
}

interface SeriesParts {
  readonly gauges?: readonly string[]
  /** False: the points contain no requests, which is faster. */
  readonly requests?: boolean
}

interface MetricsNow {
  /** The latest sample of this process. */
  readonly process: ProcessMetrics
  /** All processes that reported in the last 30 seconds, including this one. */
  readonly processes: readonly ProcessMetrics[]
}

/** Counters, gauges and request statistics of all processes, by minute, hour and day. */
export interface MetricsHistory extends AsyncDisposable {
  /** Records a response. Takes about a microsecond and never throws. */
  recordResponse(response: RecordedResponse): void
  /** Adds to a counter that all processes share. Never throws. */
  add(name: string, amount: number): void
  /** Adds to counters inside a transaction, for amounts that must be added exactly once. */
  addWithin(transaction: Transaction<NoTables>, amounts: Readonly<Record<string, number>>): Promise<void>
  /** The totals of a period. Includes all measurements of this process, and those of others up to a few seconds ago. */
  read(period: MetricsPeriod): Promise<MetricsReading>
  /** Every minute, hour or day of a period, also those without measurements, oldest first. */
  series(period: MetricsPeriod & SeriesParts): Promise<readonly MetricsPoint[]>
  now(): Promise<MetricsNow>
  /** Deletes rows beyond their retention. */
  readonly cleanUp: RecurringTask
  close(): Promise<void>
}

/** Returns values to sample, by name, for all processes together; null for a value that is not known. */
export type Gauge = () => Promise<Readonly<Record<string, number | null>>>

interface MetricsHistoryOptions {
  readonly database: Database
  readonly log: Logger
  readonly gauges: readonly Gauge[]
  /** The version of the program, which `listProcessVersions` returns. */
  readonly version: string
  readonly settings?: Partial<MetricsHistorySettings>
}

interface MetricsHistorySettings {
  /** The folder whose disk is sampled. */
  readonly dataDir: string
  readonly sampleEveryMs: number
  /** Gauges change faster than the metrics of the machine. */
  readonly gaugeEveryMs: number
  /** Default: as often as gauges. */
  readonly poolEveryMs?: number
  readonly flushEveryMs: number
  /** Minutes that are kept in memory while the database is unavailable. */
  readonly maxMinutes: number
}

const defaults: MetricsHistorySettings = {
  dataDir: '.',
  sampleEveryMs: 5000,
  gaugeEveryMs: 1000,
  flushEveryMs: 5000,
  maxMinutes: 180,
}

/** Samples of the pool, one per second, over the last ten seconds. */
const maxPoolSamples = 10

/** Creates the metrics history and starts to sample this process. Does not throw: failed samples are logged, failed writes are repeated. */
export function createMetricsHistory({
  database,
  log,
  gauges,
  version,
  settings = {},
}: MetricsHistoryOptions): MetricsHistory {
  const { dataDir, sampleEveryMs, gaugeEveryMs, flushEveryMs, maxMinutes } = { ...defaults, ...settings }
  const { poolEveryMs = gaugeEveryMs } = settings
  const store = createMetricsHistoryStore(database)
  const processes = createProcesses(database)
  const sampler = createSampler(dataDir)
  const buffer = createMinuteBuffer({ maxMinutes })
  const self = {
    id: randomUUID(),
    host: hostname(),
    pid: process.pid,
    startedAt: new Date(performance.timeOrigin),
  }
  const interfaceNames = new Map<string, string>()
  const waitingSamples: number[] = []
  let last: { readonly sample: Sample; readonly seenAt: Date } | undefined
  let flushing: Promise<void> | undefined
  let nextFlush: Promise<void> | undefined

  function nameOf(interfaceName: string): string {
    const known = interfaceNames.get(interfaceName)
    if (known !== undefined) return known
    const name = nameOfApi(interfaceName)
    interfaceNames.set(interfaceName, name)
    return name
  }

  async function sample(): Promise<void> {
    const taken = await sampler.take()
    last = { sample: taken, seenAt: new Date() }
    for (const [name, value] of valuesOf(taken)) buffer.add(name, value)
  }

  async function samplePool(): Promise<void> {
    waitingSamples.push(database.poolUsage().waiting)
    if (waitingSamples.length > maxPoolSamples) waitingSamples.shift()
  }

  async function readGauges(): Promise<void> {
    for (const read of gauges) {
      for (const [name, value] of Object.entries(await read())) if (value !== null) buffer.add(name, value)
    }
  }

  /**
   * Resolves when all measurements up to now are stored. One flush runs at a time: a caller who comes during one waits for the next, because
   * what the running one took is not stored yet, and what came since is not part of it.
   */
  function flush(): Promise<void> {
    if (nextFlush !== undefined) return nextFlush
    if (flushing === undefined) return startFlush()
    nextFlush = flushing
      .catch(() => undefined)
      .then(() => {
        nextFlush = undefined
        return startFlush()
      })
    return nextFlush
  }

  function startFlush(): Promise<void> {
    flushing = storeBuffer().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  async function storeBuffer(): Promise<void> {
    const minutes = buffer.take()
    try {
      await store.add(minutes)
    } catch (error) {
      const dropped = buffer.putBack(minutes)
      if (dropped > 0) log.warn({ minutes: dropped }, 'dropped measurements that could not be stored')
      throw error
    }
  }

  async function lastSample(): Promise<{ readonly sample: ProcessSample; readonly seenAt: Date }> {
    if (last === undefined) await sample()
    if (last === undefined) throw new Error('no sample was taken')
    return { ...last, sample: { ...last.sample, databaseWaiting: medianOf(waitingSamples) } }
  }

  async function report(): Promise<void> {
    await flush()
    await processes.report({ ...self, sample: (await lastSample()).sample }, version)
  }

  const logError = (message: string) => (error: unknown) => log.debug({ err: error }, message)
  const repeated = [
    // First, so that it does not count the queries of the others, which run at the same moment.
    repeat(poolEveryMs, samplePool, logError('could not sample the connection pool')),
    repeat(sampleEveryMs, sample, logError('could not sample the machine')),
    repeat(gaugeEveryMs, readGauges, logError('could not read a gauge')),
    repeat(flushEveryMs, report, logError('could not store measurements, retrying')),
  ]

  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await Promise.all(repeated.map((it) => it.stop()))
    sampler.close()
    try {
      await flush()
      await processes.remove(self.id)
    } catch (error) {
      log.warn({ err: error }, 'could not store the last measurements')
    }
  }
  const closeOnce = () => (closed ??= close())

  return {
    recordResponse(response) {
      // The clock is read once, because that takes longer than the rest.
      const atMs = Date.now()
      buffer.add(nameOfKind(kindOf(response)), 1, atMs)
      if (response.left || response.streamed) return
      buffer.time(requestDurations, response.ms, atMs)
      buffer.add(nameOf(response.interfaceName), response.ms, atMs)
    },

    add: (name, amount) => buffer.add(name, amount),

    async addWithin(transaction, amounts) {
      const added = createMinuteBuffer({ maxMinutes: 1 })
      for (const [name, amount] of Object.entries(amounts)) added.add(name, amount)
      await store.add(added.take(), transaction)
    },

    async read({ from, to, grain }) {
      await flush()
      return readingOf(await store.sums(coverTime(grain, from.getTime(), to.getTime())))
    },

    async series({ from, to, grain, gauges: gaugeNames = [], requests = true }) {
      await flush()
      const [begin, end] = [startOf(grain, from.getTime()), to.getTime()]
      const names = [...(requests ? requestMetricNames() : []), ...gaugeNames]
      const points = await store.points({ grain, from: begin, to: end }, names)
      const length = Math.max(0, Math.ceil((end - begin) / grainMs[grain]))
      return Array.from({ length }, (_, index) => {
        const at = begin + index * grainMs[grain]
        return pointOf(at, points.get(at))
      })
    },

    async now() {
      const own: ProcessMetrics = { ...self, ...(await lastSample()) }
      const others = (await processes.list()).filter(({ id }) => id !== self.id)
      return { process: own, processes: [...others, own].toSorted(byStart) }
    },

    cleanUp: {
      // Stored in kernel_tasks, so the name stays.
      name: 'vitals.clean-up',
      everyMs: 3_600_000,
      async run() {
        await store.prune(Date.now())
        await processes.prune()
      },
    },

    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  }
}

/** A task that runs at an interval; its runs never overlap. */
interface RepeatedTask {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>
}

function repeat(everyMs: number, work: () => Promise<void>, onError: (error: unknown) => void): RepeatedTask {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** The median of the last samples; missing ones count as 0. */
function medianOf(samples: readonly number[]): number {
  return samples.toSorted((one, other) => other - one)[maxPoolSamples / 2] ?? 0
}

function byStart(one: ProcessMetrics, other: ProcessMetrics): number {
  return one.startedAt.getTime() - other.startedAt.getTime()
}

/** The stored fields of a sample, and their metric names. */
const metricNames = {
  cpuPercent: 'cpu_percent',
  load: 'load',
  memoryPercent: 'memory_percent',
  diskPercent: 'disk_percent',
  diskReadPerSecond: 'disk_read_per_second',
  diskWrittenPerSecond: 'disk_written_per_second',
  networkInPerSecond: 'network_in_per_second',
  networkOutPerSecond: 'network_out_per_second',
  eventLoopDelayMs: 'event_loop_delay_ms',
  processCpuPercent: 'process_cpu_percent',
  processRssBytes: 'process_rss_bytes',
} as const satisfies Partial<Record<keyof Sample, string>>

/** The values of a sample by metric name, without those the system does not report. */
function valuesOf(sample: Sample): readonly (readonly [name: string, value: number])[] {
  return Object.entries(metricNames).flatMap(([field, name]) => {
    const value = sample[field as keyof typeof metricNames]
    return value === null ? [] : [[name, value] as const]
  })
}
