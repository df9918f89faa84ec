import type { Engine } from '#engine'
import type { WorkerDirectory } from '#kernel/work'
import type { OrchestraOptions } from '../route-options.ts'

/** The dependencies of the monitoring routes. */
export type MonitoringOptions = Pick<
  OrchestraOptions,
  'database' | 'engine' | 'models' | 'metricsHistory' | 'system'
> & {
  readonly activity: Engine['activity']
  readonly workers: WorkerDirectory
}
