import { type Database, retryWhenUnavailable } from '#kernel/database'
import { type RunningProcess, startProcess } from '../support/process.ts'

/** An execution that a worker had leased when it was killed. */
export interface Orphan {
  readonly executionId: string
  readonly fence: number
  readonly killedAt: Date
}

export interface ChaosWorker {
  /** A step of it has started and has no outcome yet. */
  isInStep(): Promise<boolean>
  /** Kills the worker and starts it again under another name. Returns the executions it had leased. */
  kill(): Promise<Orphan[]>
  stop(): Promise<void>
}

const file = new URL('./worker-process.ts', import.meta.url)

/** A worker that restarts whenever it is killed. Resolves when it is running. */
export async function startChaosWorker(
  database: Database,
  { url, name }: { readonly url: string; readonly name: string },
): Promise<ChaosWorker> {
  let lives = 0
  let current = await start()

  async function start(): Promise<RunningProcess> {
    lives += 1
    const child = await startProcess({ file, env: { DATABASE_URL: url, CHAOS_WORKER: `${name}.${lives}` } })
    await child.waitForLine(/^ready/, 60_000)
    return child
  }

  function inFlight(): Promise<{ id: string; fence: number }[]> {
    return retryWhenUnavailable(() =>
      database.query<{ id: string; fence: number }>(
        `
          select execution.id, execution.work_fence as fence
          from engine_executions as execution
          join kernel_workers as worker on worker.id = execution.work_worker
          where worker.name = $1 and execution.work_state = 'running'
        `,
        [`${name}.${lives}`],
      ),
    )
  }

  async function isInStep(): Promise<boolean> {
    const [row] = await retryWhenUnavailable(() =>
      database.query<{ busy: boolean }>(
        `
          select exists (
            select 1 from chaos_runs as run
            where run.worker = $1 and run.started_at > now() - interval '1 second' and not exists (
              select 1 from engine_steps as step
              where step.execution_id = run.execution_id and step.step_id = run.step_id
            )
          ) as busy
        `,
        [`${name}.${lives}`],
      ),
    )
    return row?.busy === true
  }

  return {
    isInStep,
    async kill() {
      await current.kill('SIGKILL')
      const killedAt = new Date()
      const orphans = (await inFlight()).map(({ id, fence }) => ({ executionId: id, fence, killedAt }))
      current = await start()
      return orphans
    },
    stop: async () => void (await current.kill('SIGKILL')),
  }
}
