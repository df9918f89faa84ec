import { randomUUID } from 'node:crypto'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createWorker } from '#kernel/work'
import type { AccountStatus } from '../../src/engine/schedules/run-due.ts'
import {
  createSchedules,
  type ScheduleSettings,
  type Schedules,
} from '../../src/engine/schedules/schedules.ts'
import { createStartWriter, type StartWriter } from '../../src/engine/store/start-writer.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const quiet = createLogger({ level: 'silent', format: 'json' })

type ScheduledExecution = Parameters<Parameters<typeof createSchedules>[0]['enqueue']>[0]

interface Execution {
  readonly id: string
  readonly flow_version: number
  readonly account_id: string
  readonly schedule_id: string | null
  readonly priority: string
  readonly approval: string | null
  readonly input: unknown
}

export interface ScheduleScene extends AsyncDisposable {
  readonly database: TestDatabase
  readonly schedules: Schedules
  readonly accountId: string
  /** The status of all accounts. */
  accountStatus: AccountStatus
  settings(change?: Partial<ScheduleSettings>): ScheduleSettings
  add(change?: Partial<ScheduleSettings>): Promise<string>
  /** Makes a schedule due since this time. */
  letCome(id: string, agoMs?: number): Promise<Date>
  executions(): Promise<readonly Execution[]>
  /** Ends every execution. */
  endExecutions(): Promise<void>
  /** A worker for schedules, as in each process; the test can make its starts fail. */
  work(
    around?: (execution: ScheduledExecution, enqueue: () => Promise<unknown>) => Promise<unknown>,
  ): Promise<void>
}

const settings = (change: Partial<ScheduleSettings> = {}): ScheduleSettings => ({
  label: null,
  flowId: 'report',
  flowVersion: null,
  // No time comes by itself while a test runs.
  cron: '0 0 1 1 *',
  timezone: 'UTC',
  input: { context: { content: 'A text.' }, options: {}, memory: {} },
  priority: 'normal',
  overlap: 'skip',
  enabled: true,
  startsAt: null,
  endsAt: null,
  ...change,
})

/** Schedules over the tables of the engine, with a flow of two versions. No worker runs their executions. */
export async function openScheduleScene(): Promise<ScheduleScene> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  await addFlow(database)
  const starts = closing.use(createStartWriter(database))
  const accountId = randomUUID()
  const scene = { accountStatus: 'permitted' as AccountStatus }
  const accountStatusOf = async () => scene.accountStatus
  const enqueue = (execution: ScheduledExecution) => write(starts, execution)
  const schedules = createSchedules({ database, enqueue, accountStatusOf })
  const opened = closing.move()
  return {
    database,
    schedules,
    accountId,
    get accountStatus() {
      return scene.accountStatus
    },
    set accountStatus(accountStatus) {
      scene.accountStatus = accountStatus
    },
    settings,
    add: async (change) => (await schedules.create(settings(change), { accountId, createdBy: accountId })).id,
    async letCome(id, agoMs = 0) {
      const [row] = await database.query<{ at: Date }>(
        `
          update engine_schedules
          set next_at = date_trunc('second', now() - $2 * interval '1 millisecond'), work_due_at = now(),
            work_state = 'queued'
          where id = $1
          returning next_at as at
        `,
        [id, agoMs],
      )
      if (row === undefined) throw new Error(`no schedule ${id}`)
      return row.at
    },
    executions: () => database.query<Execution>('select * from engine_executions order by created_at, id'),
    async endExecutions() {
      await database.query(
        `update engine_executions set status = 'completed', work_state = 'finished', finished_at = now()`,
      )
    },
    async work(around = (_execution, start) => start()) {
      const served = createSchedules({
        database,
        accountStatusOf,
        enqueue: (execution) => around(execution, () => enqueue(execution)),
      })
      const worker = createWorker({
        database,
        log: quiet,
        metrics: createMetrics({ watchProcess: false }),
        role: 'worker',
        queues: [served.queue],
        timing: { pollMs: 50 },
      })
      opened.defer(() => worker.stop())
      await worker.start()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function write(starts: StartWriter, execution: ScheduledExecution): Promise<unknown> {
  return starts.write({ ...execution, maxActive: 5 })
}

async function addFlow(database: TestDatabase): Promise<void> {
  await database.query(`insert into engine_flows (id, current_version) values ('report', 2)`)
  const definition = {
    id: 'report',
    label: 'A report',
    steps: [{ id: 'only', type: 'ai_prompt', prompt: 'Report.' }],
  }
  await database.query(
    `insert into engine_flow_versions (flow_id, version, definition) values ('report', 1, $1), ('report', 2, $1)`,
    [JSON.stringify(definition)],
  )
}
