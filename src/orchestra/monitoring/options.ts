import type { Engine } from '#engine'
import type { WorkerDirectory } from '#kernel/work'
import type { OrchestraOptions } from '../route-options.ts'

/** What monitoring looks at. */
export type Watched = Pick<
  OrchestraOptions,
  'database' | 'engine' | 'models' | 'metricsHistory' | 'system'
> & {
  readonly activity: Engine['activity']
  readonly workers: WorkerDirectory
}
