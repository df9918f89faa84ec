import type { WorkerTiming } from '#kernel/work'
import type { ChoreScene } from '../database/work-setting.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'

const file = new URL('./work-worker-process.ts', import.meta.url)

/** Where no worker that is only slow can be declared dead, because the other one does not look for dead workers. */
export const hastiest = { heartbeatMs: 400, deadAfterMs: 2000, pollMs: 100 }

interface ProcessOptions {
  readonly timing?: Partial<WorkerTiming>
  /** Another way to the same database. */
  readonly url?: string
}

/** Starts a process that is ready to work and waits for `beginWork`. */
export async function startIdleWorker(
  scene: ChoreScene,
  { timing = {}, url }: ProcessOptions = {},
): Promise<RunningProcess> {
  const env = {
    DATABASE_URL: url ?? scene.database.url,
    WORKER_TIMING: JSON.stringify(timing),
  }
  const worker = scene.use(await startProcess({ file, env }))
  await worker.waitForLine(/^loaded/)
  return worker
}

export async function beginWork(worker: RunningProcess): Promise<void> {
  process.kill(worker.pid, 'SIGUSR2')
  await worker.waitForLine(/^ready/)
}

export async function startWorker(scene: ChoreScene, options?: ProcessOptions): Promise<RunningProcess> {
  const worker = await startIdleWorker(scene, options)
  await beginWork(worker)
  return worker
}

/** Lets it finish the chores that wait to be told, now and later. */
export function tell(worker: RunningProcess): void {
  process.kill(worker.pid, 'SIGUSR1')
}

interface Start {
  readonly chore: number
  readonly fence: number
  readonly worker: string
  readonly started_at: Date
}

export function readStarts({ database }: ChoreScene, chore?: number): Promise<Start[]> {
  return database.query<Start>(
    'select * from chore_starts where $1::bigint is null or chore = $1 order by started_at',
    [chore ?? null],
  )
}
