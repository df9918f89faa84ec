import cluster, { type Worker } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from '#kernel/errors'
import type { ReadinessCheck } from '#kernel/http'
import type { Logger, Metrics } from '#kernel/telemetry'
import type { RenderedMetrics } from '../platform-api.ts'
import { redistributeUnaccepted } from './handed-connections.ts'
import { mergeMetrics } from './merge-metrics.ts'
import { createProcessLink, type Handlers, type ProcessLink, type Started } from './process-link.ts'

/** Metrics and readiness are read by probes with short timeouts; a process that responds later is left out. */
const responseTimeoutMs = 1500

/** The pause before a process is started again doubles from the first to the last of these. */
const restartPauseMs = { first: 100, last: 30_000 }

/** A process that served for so long has started well: the next restart begins with the first pause again. */
const stableAfterMs = 60_000

/** Time for the rest of the shutdown, beyond the delays of the settings. */
const exitMarginMs = 10_000

interface SupervisorOptions {
  readonly count: number
  /** Variables for the processes, beside those of this one. */
  readonly environmentOf: (name: string) => Readonly<Record<string, string>>
  /** Handle requests of the processes, beside those for metrics. */
  readonly handlers?: Handlers | undefined
  /** How long a process may take to close before it is killed. */
  readonly closeMs: number
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Runs the same command in several processes that share its ports: the supervisor accepts connections and gives each process one in turn.
 *
 * | state of a process | on                              | next                                                    |
 * |--------------------|---------------------------------|---------------------------------------------------------|
 * | starting           | it reports its servers          | serving                                                 |
 * | starting           | it ends, at the first start     | all are stopped, and the start fails                    |
 * | starting, serving  | it ends                         | pausing: 0.1 s, doubled up to 30 s while it is unstable |
 * | pausing            | the pause is over               | starting                                                |
 * | serving            | `replaceAll`                    | stopping, one process after the other                   |
 * | stopping           | it ends, or is killed when late | starting                                                |
 * | any                | `close`                         | stopping; then it is not started again                  |
 *
 * A process whose supervisor is gone ends at once, as Node does it; its work is taken over like that of a killed replica.
 */
export interface Supervisor extends AsyncDisposable {
  readonly started: Started
  readonly readiness: readonly ReadinessCheck[]
  /** Of all processes, distinguished by the label `process`. */
  readonly rendered: RenderedMetrics
  /** Stops and starts the processes one after the other, so that the others serve meanwhile. */
  replaceAll(): Promise<void>
}

interface SupervisedProcess {
  readonly name: string
  readonly link: () => ProcessLink | undefined
  /** Resolves when it serves for the first time. */
  readonly firstStart: Promise<Started>
  /** Resolves when it serves again. */
  replace(): Promise<void>
  stop(): Promise<void>
}

/** Starts the first process alone, which prepares the database for the others. Throws a `UserError` when a process ends during the start. */
export async function superviseProcesses(options: SupervisorOptions): Promise<Supervisor> {
  const { count, log, metrics } = options
  const stopping = new AbortController()
  const processes: SupervisedProcess[] = []
  const exits = metrics.counter({
    name: 'process_restarts_total',
    help: 'Processes that ended by themselves and were started again.',
  })
  metrics.gauge({
    name: 'processes_serving',
    help: 'Processes of this supervisor that serve requests.',
    collect: (gauge) => gauge.set(serving().length),
  })
  const serving = () => processes.flatMap((process) => process.link() ?? [])

  async function render(): Promise<string> {
    const own = await metrics.render()
    const texts = await Promise.all(
      serving().map((link) => link.request('metrics', responseTimeoutMs).catch(() => '')),
    )
    return mergeMetrics([own, ...texts])
  }

  async function checkProcesses(): Promise<void> {
    if (stopping.signal.aborted) throw new Error('stopping')
    const reasons = await Promise.all(
      serving().map((link) =>
        link.request('readiness', responseTimeoutMs).catch((error: Error) => error.message),
      ),
    )
    if (!reasons.includes(undefined)) throw new Error(reasons[0] ?? 'no process serves')
  }

  const start = (name: string) => {
    const process = superviseProcess(name, {
      ...options,
      render,
      stopping: stopping.signal,
      onExit: () => exits.inc(),
    })
    processes.push(process)
    return process.firstStart
  }

  async function close(): Promise<void> {
    stopping.abort()
    await Promise.all(processes.map((process) => process.stop()))
  }

  try {
    const started = await start('1')
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => start(String(index + 2))))
    log.info({ processes: count }, 'all processes serve')
    return {
      started,
      readiness: [{ name: 'processes', check: checkProcesses }],
      rendered: { contentType: metrics.contentType, render },
      async replaceAll() {
        for (const process of processes) {
          if (stopping.signal.aborted) return
          await process.replace()
          log.info({ replaced: process.name }, 'replaced a process')
        }
      },
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface ProcessOptions extends Pick<SupervisorOptions, 'environmentOf' | 'handlers' | 'closeMs' | 'log'> {
  readonly render: () => Promise<string>
  readonly stopping: AbortSignal
  readonly onExit: () => void
}

function superviseProcess(name: string, options: ProcessOptions): SupervisedProcess {
  const { environmentOf, handlers, closeMs, log, render, stopping, onExit } = options
  const firstStart = Promise.withResolvers<Started>()
  let nextStart = firstStart
  let current: Worker | undefined
  let link: ProcessLink | undefined
  let isReplacing = false
  let pauseMs = restartPauseMs.first

  /** Returns whether the process is to be started again. */
  async function runOnce(): Promise<boolean> {
    const worker = cluster.fork(environmentOf(name))
    redistributeUnaccepted(worker.process)
    current = worker
    const ended = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    })
    let servingSince: number | undefined
    const connected = createProcessLink({
      channel: {
        // The process may have ended meanwhile.
        send: (message) => void (worker.isConnected() && worker.send(message, () => {})),
        onMessage: (handle) => void worker.on('message', handle),
      },
      handlers: { ...handlers, metrics: render },
      onStarted(started) {
        servingSince = performance.now()
        link = connected
        nextStart.resolve(started)
      },
    })
    const reason = await ended
    current = undefined
    link = undefined
    if (stopping.aborted) return false
    if (isReplacing) {
      isReplacing = false
      return true
    }
    if (firstStart === nextStart && servingSince === undefined) {
      firstStart.reject(new UserError(`Process ${name} ended during the start (${reason}).`))
      return false
    }
    onExit()
    if (servingSince !== undefined && performance.now() - servingSince > stableAfterMs) {
      pauseMs = restartPauseMs.first
    }
    log.warn({ ended: name, reason, restartInMs: pauseMs }, 'a process ended, starting it again')
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, restartPauseMs.last)
    return !stopping.aborted
  }

  async function run(): Promise<void> {
    while (await runOnce());
  }

  /** Asks the process to end and kills it when it is late. */
  async function end(): Promise<void> {
    const worker = current
    if (worker === undefined) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.process.kill('SIGTERM')
    const late = setTimeout(() => worker.process.kill('SIGKILL'), closeMs + exitMarginMs)
    await ended
    clearTimeout(late)
  }

  const running = run()
  return {
    name,
    link: () => link,
    firstStart: firstStart.promise,
    async replace() {
      nextStart = Promise.withResolvers()
      isReplacing = current !== undefined
      await end()
      await Promise.race([nextStart.promise, running])
    },
    async stop() {
      await end()
      await running
    },
  }
}
