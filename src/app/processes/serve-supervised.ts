import { serveMetrics } from '../metrics-server.ts'
import type { Settings } from '../settings.ts'
import { createShutdownDeadline } from '../shutdown-deadline.ts'
import type { Telemetry } from '../telemetry.ts'
import type { Handlers, Started } from './process-link.ts'
import { type Supervisor, superviseProcesses } from './supervisor.ts'

interface ServeSupervisedOptions {
  readonly settings: Settings
  readonly telemetry: Telemetry
  readonly count: number
  readonly environmentOf: (name: string) => Readonly<Record<string, string>>
  readonly handlers?: Handlers
  /** Gets the closing of everything. */
  readonly closing: AsyncDisposableStack
}

/** The name of the supervisor in logs and metrics. */
export const supervisorName = 'supervisor'

/** Runs the processes of this command, serves the metrics of all of them, and replaces them on SIGUSR2. */
export async function serveSupervised(options: ServeSupervisedOptions): Promise<Started> {
  const { settings, telemetry, count, environmentOf, handlers, closing } = options
  const { closeDelayMs, closeGraceMs } = settings.platform
  const supervisor = closing.use(
    await superviseProcesses({
      count,
      environmentOf,
      handlers,
      closeMs: closeDelayMs + closeGraceMs,
      log: telemetry.log,
      metrics: telemetry.metrics,
    }),
  )
  const { started, readiness, rendered } = supervisor
  const timeLeftMs = createShutdownDeadline(closeGraceMs)
  const metrics = await serveMetrics({ settings, telemetry, readiness, rendered, closing, timeLeftMs })
  closing.use(replaceOnSignal(supervisor))
  return { ...started, urls: { ...started.urls, metrics } }
}

/** SIGUSR2 replaces the processes one after the other. A signal that comes meanwhile changes nothing. */
function replaceOnSignal(supervisor: Supervisor): Disposable {
  let replacing: Promise<void> | undefined
  const replace = () => {
    replacing ??= supervisor.replaceAll().finally(() => {
      replacing = undefined
    })
  }
  process.on('SIGUSR2', replace)
  return { [Symbol.dispose]: () => void process.off('SIGUSR2', replace) }
}
