import type { Logger, Metrics } from '#kernel/telemetry'

/** One comparison of the clocks of this process and of the database. */
export interface ClockMeasurement {
  /** How far the process is ahead; negative when it is behind. */
  readonly skewMs: number
  /** Half of the round trip: the true value lies within this distance. */
  readonly uncertaintyMs: number
}

/** The time all replicas agree on. */
export interface DatabaseClock {
  /** The time of the database: the clock of this process, corrected by the measured skew if that is a second or more. */
  now(): Date
  /** How far the clock of this process is ahead of the database; negative when it is behind, 0 while the difference is not certain. */
  skewMs(): number
}

interface DatabaseClockOptions {
  /** The measurement of the start. Undefined for the embedded database, which has the same clock. */
  readonly first: ClockMeasurement | undefined
  readonly query: <Row>(text: string) => Promise<Row[]>
  readonly log: Logger
  readonly processNow?: () => number
}

const measureEveryMs = 30_000
/** Smaller differences are left alone: a corrected clock that jumps by milliseconds would be worse. */
const correctFromMs = 1000
/** From here on the log warns. */
export const clockWarningMs = 2000
/** From here on a process is not ready: codes and signatures of others would be expired, or not valid yet. */
export const maxClockSkewMs = 60_000

/** Reads both clocks. Throws the error of the statement. */
export async function measureClock(
  query: DatabaseClockOptions['query'],
  processNow: () => number = Date.now,
): Promise<ClockMeasurement> {
  const [before, startedAt] = [processNow(), performance.now()]
  const [row] = await query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms',
  )
  const uncertaintyMs = (performance.now() - startedAt) / 2
  return { skewMs: before + uncertaintyMs - (row?.ms ?? before), uncertaintyMs }
}

/** Says which clock is wrong, for the log, readiness and `tutti doctor`. */
export function describeSkew(skewMs: number): string {
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1)
  return `the clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} that of the database`
}

/** Measures every 30 s until it is stopped. */
export function createDatabaseClock({
  first,
  query,
  log,
  processNow = Date.now,
}: DatabaseClockOptions): DatabaseClock & { stop(): void } {
  let certainMs = 0
  let warned = false

  function use({ skewMs, uncertaintyMs }: ClockMeasurement): void {
    certainMs = Math.sign(skewMs) * Math.max(0, Math.abs(skewMs) - uncertaintyMs)
    const isWrong = Math.abs(certainMs) >= clockWarningMs
    if (isWrong && !warned)
      log.warn({ skewMs: certainMs }, `${describeSkew(certainMs)}; check its time service`)
    if (!isWrong && warned) log.info('the clock of this machine agrees with that of the database again')
    warned = isWrong
  }

  async function measure(): Promise<void> {
    try {
      use(await measureClock(query, processNow))
    } catch (error) {
      log.debug({ err: error }, 'could not compare the clock with that of the database')
    }
  }

  if (first !== undefined) use(first)
  const timer = first === undefined ? undefined : setInterval(() => void measure(), measureEveryMs)
  timer?.unref()
  return {
    now: () => new Date(processNow() - (Math.abs(certainMs) >= correctFromMs ? certainMs : 0)),
    skewMs: () => certainMs,
    stop: () => clearInterval(timer),
  }
}

/** Declares the gauge of the clock. */
export function declareClockGauge(metrics: Pick<Metrics, 'gauge'>, clock: DatabaseClock): void {
  metrics.gauge({
    name: 'clock_skew_seconds',
    help: 'How far the clock of this process is ahead of the clock of the database; negative when it is behind.',
    collect: (gauge) => gauge.set(clock.skewMs() / 1000),
  })
}
