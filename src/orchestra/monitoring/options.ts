import type { Activity } from '#engine'
import type { WorkerDirectory } from '#kernel/work'
import type { OrchestraOptions } from '../route-options.ts'

/** What monitoring looks at. */
export type Watched = Pick<OrchestraOptions, 'database' | 'engine' | 'models' | 'vitals' | 'system'> & {
  readonly activity: Activity
  readonly workers: WorkerDirectory
}
