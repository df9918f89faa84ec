import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '#engine'
import { startChaosEngine } from '../chaos/chaos-engine.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { createTestDatabase } from '../support/test-database.ts'

const file = new URL('./engine-crash-process.ts', import.meta.url)

const step = (id: string, type: string, dependencies: string[] = []) => ({
  id,
  type,
  ...(type === 'ai_prompt' ? { prompt: 'x' } : { transformations: [] }),
  dependencies,
})

const flows = {
  /** Crashes every worker that computes it. */
  guilty: [step('hoard', 'data_transform')],
  /** Computes, waits for a model, and computes again. */
  innocent: [
    step('spin', 'data_transform'),
    step('ask', 'ai_prompt', ['spin']),
    step('after', 'data_transform', ['ask']),
  ],
}

export interface CrashScene extends AsyncDisposable {
  startWorker(): Promise<RunningProcess>
  enqueue(flow: keyof typeof flows): Promise<string>
  read(id: string): Promise<{ readonly status: string; readonly error: unknown; readonly claims: number }>
  /** The executions that were leased when a worker died, and are not trusted again. */
  countSuspects(): Promise<number>
  /** Ends the steps that wait for a model. */
  release(): Promise<void>
}

/** Workers in processes of their own, with little memory, and executions that one of them may crash. */
export async function openCrashScene(): Promise<CrashScene> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'crashes-'))
  closing.defer(() => rm(folder, { recursive: true }))
  const released = join(folder, 'released')
  const engine: Engine = closing.use(
    await startChaosEngine(database, () => Promise.reject(new Error('nothing runs here'))),
  )
  for (const [id, steps] of Object.entries(flows)) {
    await database.query('insert into engine_flows (id, current_version) values ($1, 1)', [id])
    await database.query(
      'insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)',
      [id, JSON.stringify({ id, label: id, steps })],
    )
  }
  const accountId = randomUUID()
  const opened = closing.move()
  return {
    async startWorker() {
      const env = {
        DATABASE_URL: database.url,
        RELEASE_FILE: released,
        NODE_OPTIONS: '--max-old-space-size=160',
      }
      const worker = opened.use(await startProcess({ file, env }))
      await worker.waitForLine(/^ready/)
      return worker
    },
    async enqueue(flowId) {
      const input = { context: {}, options: {}, memory: {} }
      const { id } = await engine.executions.enqueue({
        flowId,
        flowVersion: 1,
        accountId,
        priority: 'normal',
        input,
      })
      return id
    },
    async read(id) {
      const [row] = await database.query<{ status: string; error: unknown; claims: number }>(
        'select status, error, work_attempts as claims from engine_executions where id = $1',
        [id],
      )
      if (row === undefined) throw new Error(`there is no execution ${id}`)
      return row
    },
    countSuspects: async () => (await database.query('select from kernel_crashes')).length,
    release: () => writeFile(released, ''),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
