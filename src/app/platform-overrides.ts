import type { SeededAdministrator } from '#identity'
import type { Database } from '#kernel/database'
import type { HttpServer } from '#kernel/http'
import type { Limiter } from '#kernel/limits'
import type { createMetricsHistory } from '#kernel/metrics-history'
import type { Logger } from '#kernel/telemetry'
import type { ModelsOptions } from '#models'
import type { StatusOptions } from '#status'
import type { createTriggers } from '#triggers'
import type { ClusterService } from './cluster-service.ts'
import type { Console } from './console.ts'
import type { OpenEngineOptions } from './engine.ts'
import type { Role } from './settings.ts'

/** A cluster service that runs in this process. */
export type RunningCluster = Omit<ClusterService, typeof Symbol.asyncDispose>

/** One of several processes of a `tutti serve` (`TUTTI_WORKERS`): it shares its ports with them, and a supervisor serves the metrics of all. */
export interface ServeProcess {
  /** In logs and metrics. */
  readonly name: string
  /** The key of the platform at the cluster service of each of the processes. */
  readonly clusterKey: string
  /** The metrics of all processes. */
  renderMetrics(): Promise<string>
}

/** Replaces defaults of the composition. `tutti serve` sets the first five; the others are for tests and benchmarks. */
export interface PlatformOverrides {
  readonly role?: Role
  readonly process?: ServeProcess
  /** Default: as the settings say, to standard output. */
  readonly log?: Logger
  /** The migrated database, which may still be opening. The platform does not close it. */
  readonly database?: Database | Promise<Database>
  /**
   * Called when this start has created the first account, as soon as it exists. A generated password is known only here: it must
   * be shown at once, because a later step of the start can still fail.
   */
  readonly onFirstAccount?: (account: SeededAdministrator) => void
  /** Whether the first account, the built-in agents and flows and the welcome tour are created. Default: yes. */
  readonly seed?: boolean
  /** Whether the worker runs the maintenance tasks, probes of services among them. Default: yes. */
  readonly maintenance?: boolean
  /** A running cluster service of this process, or `remote`: the one at RUNTIME_CLUSTER_HOST. Default: the role `all` starts one. */
  readonly clusterService?: RunningCluster | 'remote' | undefined
  /** Whether the metrics of Node.js itself are collected. Default: yes. */
  readonly watchProcess?: boolean
  readonly metricsHistory?: Partial<Parameters<typeof createMetricsHistory>[0]['settings']>
  readonly models?: Pick<ModelsOptions, 'timeoutMs' | 'freshMs' | 'providers' | 'gatewayId' | 'heartbeatMs'>
  readonly status?: Pick<StatusOptions, 'probesFor' | 'pageKeepMs'>
  readonly triggers?: Pick<Parameters<typeof createTriggers>[0], 'turnMs'>
  /** Timeout of requests to a cluster service elsewhere. */
  readonly clusterApi?: { readonly timeoutMs?: number }
  /** Replaces the executor of steps, given the usual one. */
  readonly runStep?: OpenEngineOptions['wrapRunStep']
  /** The clock of the history of executions. */
  readonly now?: OpenEngineOptions['now']
  /** How long the cancellation of an execution waits for its worker. */
  readonly cancelWaitMs?: OpenEngineOptions['cancelWaitMs']
  /** Interval of the status updates of the live stream. */
  readonly liveStatusEveryMs?: number
  /** Replaces the limiter of requests, given the usual one. */
  readonly wrapLimiter?: (limiter: Limiter) => Limiter
  /** Default: the built one. It is built from the description of the platform, which is generated without it. */
  readonly console?: Console
  /** Registers further routes before the server is ready. */
  readonly addRoutes?: (app: HttpServer) => Promise<void>
}
