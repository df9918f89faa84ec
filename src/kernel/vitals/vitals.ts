import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import { coverTime, type Grain, grainMs, startOf } from './grain.ts'
import { createSampler, type Sample } from './machine/sample.ts'
import { createProcesses, type ProcessSample, type ProcessVitals } from './processes.ts'
import { namesOfRequests, pointOf, readingOf, type VitalsPoint, type VitalsReading } from './reading.ts'
import { repeat } from './repeat.ts'
import { type Answered, kindOf, nameOfInterface, nameOfKind, requestDurations } from './requests.ts'
import { sampleNames } from './sample-names.ts'
import { createVitalsStore } from './store.ts'
import { createTally } from './tally.ts'

/** A time, and how fine it is looked at. */
export interface VitalsPeriod {
  readonly from: Date
  /** Not included. */
  readonly to: Date
  /** The finest rows to use: minutes are kept for two days, hours for ninety, days for two years. */
  readonly grain: Grain
}

interface SeriesParts {
  readonly gauges?: readonly string[]
  /** False: there are none in the points, which is quicker. */
  readonly requests?: boolean
}

export interface VitalsNow {
  /** This process, just measured. */
  readonly process: ProcessVitals
  /** All processes that showed themselves lately, this one included. */
  readonly processes: readonly ProcessVitals[]
}

/** What processes and the machine go through. */
export interface Vitals extends AsyncDisposable {
  /** Counts an answer. Takes about a microsecond, and never throws. */
  answered(answer: Answered): void
  /** Adds to a counter of this name, which all processes share. Never throws. */
  add(name: string, amount: number): void
  /** Adds to counters inside a transaction, for amounts that must be added exactly once. */
  addWithin(transaction: Transaction<NoTables>, amounts: Readonly<Record<string, number>>): Promise<void>
  /** All of a time together. What this process measured is in it; what others did, up to a few seconds ago. */
  read(period: VitalsPeriod): Promise<VitalsReading>
  /** Every minute, hour or day of a time, also those in which nothing was measured, the earliest first. */
  series(period: VitalsPeriod & SeriesParts): Promise<readonly VitalsPoint[]>
  now(): Promise<VitalsNow>
  /** Forgets what is older than it is kept. */
  readonly cleanUp: RecurringTask
  close(): Promise<void>
}

/** Something to be sampled, by name, of all processes together; null when there is nothing to tell. */
export type Gauge = () => Promise<Readonly<Record<string, number | null>>>

export interface VitalsOptions {
  readonly database: Database
  readonly log: Logger
  readonly gauges: readonly Gauge[]
  readonly settings?: Partial<VitalsSettings>
}

interface VitalsSettings {
  /** The folder whose disk is watched. */
  readonly dataDir: string
  readonly sampleEveryMs: number
  /** Gauges come and go faster than the machine changes. */
  readonly gaugeEveryMs: number
  readonly flushEveryMs: number
  /** Minutes that are kept in memory while the database is away. */
  readonly mostMinutes: number
}

const defaults: VitalsSettings = {
  dataDir: '.',
  sampleEveryMs: 5000,
  gaugeEveryMs: 1000,
  flushEveryMs: 5000,
  mostMinutes: 180,
}

/** How many looks at the pool are remembered: at one each second, those of the last ten seconds. */
const mostLooks = 10

export function createVitals({ database, log, gauges, settings = {} }: VitalsOptions): Vitals {
  const { dataDir, sampleEveryMs, gaugeEveryMs, flushEveryMs, mostMinutes } = { ...defaults, ...settings }
  const store = createVitalsStore(database)
  const processes = createProcesses(database)
  const sampler = createSampler(dataDir)
  const tally = createTally({ mostMinutes })
  const self = {
    id: randomUUID(),
    host: hostname(),
    pid: process.pid,
    startedAt: new Date(performance.timeOrigin),
  }
  const interfaceNames = new Map<string, string>()
  const waitingSeen: number[] = []
  let last: { readonly sample: Sample; readonly seenAt: Date } | undefined

  function nameOf(interfaceName: string): string {
    const known = interfaceNames.get(interfaceName)
    if (known !== undefined) return known
    const name = nameOfInterface(interfaceName)
    interfaceNames.set(interfaceName, name)
    return name
  }

  async function sample(): Promise<void> {
    const taken = await sampler.take()
    last = { sample: taken, seenAt: new Date() }
    for (const [name, value] of sampleNames(taken)) tally.add(name, value)
  }

  async function lookAtPool(): Promise<void> {
    waitingSeen.push(database.poolUsage().waiting)
    if (waitingSeen.length > mostLooks) waitingSeen.shift()
  }

  async function readGauges(): Promise<void> {
    for (const read of gauges) {
      for (const [name, value] of Object.entries(await read())) if (value !== null) tally.add(name, value)
    }
  }

  async function flush(): Promise<void> {
    const minutes = tally.take()
    try {
      await store.add(minutes)
    } catch (error) {
      const forgotten = tally.putBack(minutes)
      if (forgotten > 0) log.warn({ minutes: forgotten }, 'measurements were forgotten: nobody stores them')
      throw error
    }
  }

  async function lastSample(): Promise<{ readonly sample: ProcessSample; readonly seenAt: Date }> {
    if (last === undefined) await sample()
    if (last === undefined) throw new Error('nothing was sampled')
    return { ...last, sample: { ...last.sample, databaseWaiting: medianOf(waitingSeen) } }
  }

  async function show(): Promise<void> {
    await flush()
    await processes.show({ ...self, sample: (await lastSample()).sample })
  }

  const quietly = (what: string, error: unknown) => log.debug({ err: error }, what)
  const repeated = [
    // First, so that it does not see the queries of the others, which are due at the same moment.
    repeat(gaugeEveryMs, lookAtPool, (error) => quietly('the pool could not be looked at', error)),
    repeat(sampleEveryMs, sample, (error) => quietly('the machine could not be measured', error)),
    repeat(gaugeEveryMs, readGauges, (error) => quietly('a gauge could not be read', error)),
    repeat(flushEveryMs, show, (error) => quietly('measurements are stored later', error)),
  ]

  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await Promise.all(repeated.map((it) => it.stop()))
    sampler.close()
    try {
      await flush()
      await processes.leave(self.id)
    } catch (error) {
      log.warn({ err: error }, 'the last measurements could not be stored')
    }
  }
  const closeOnce = () => (closed ??= close())

  return {
    answered(answer) {
      // Looking at the clock once: it takes longer than the rest of this.
      const atMs = Date.now()
      tally.add(nameOfKind(kindOf(answer)), 1, atMs)
      if (answer.left || answer.streamed) return
      tally.time(requestDurations, answer.ms, atMs)
      tally.add(nameOf(answer.interfaceName), answer.ms, atMs)
    },

    add: (name, amount) => tally.add(name, amount),

    async addWithin(transaction, amounts) {
      const added = createTally({ mostMinutes: 1 })
      for (const [name, amount] of Object.entries(amounts)) added.add(name, amount)
      await store.add(added.take(), transaction)
    },

    async read({ from, to, grain }) {
      await flush()
      return readingOf(await store.sums(coverTime(grain, from.getTime(), to.getTime())))
    },

    async series({ from, to, grain, gauges: wanted = [], requests = true }) {
      await flush()
      const [begin, end] = [startOf(grain, from.getTime()), to.getTime()]
      const names = [...(requests ? namesOfRequests() : []), ...wanted]
      const points = await store.points({ grain, from: begin, to: end }, names)
      const length = Math.max(0, Math.ceil((end - begin) / grainMs[grain]))
      return Array.from({ length }, (_, index) => {
        const at = begin + index * grainMs[grain]
        return pointOf(at, points.get(at))
      })
    },

    async now() {
      const own: ProcessVitals = { ...self, ...(await lastSample()) }
      const others = (await processes.list()).filter(({ id }) => id !== self.id)
      return { process: own, processes: [...others, own].toSorted(byStart) }
    },

    cleanUp: {
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

/** Of the last looks; those that are still to come count as 0. */
function medianOf(looks: readonly number[]): number {
  return looks.toSorted((one, other) => other - one)[mostLooks / 2] ?? 0
}

function byStart(one: ProcessVitals, other: ProcessVitals): number {
  return one.startedAt.getTime() - other.startedAt.getTime()
}
