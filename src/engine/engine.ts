import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { type AnyQueueRegistration, type RecurringTask, serveQueue } from '#kernel/work'
import type { Purse } from '#models'
import { type Capacity, createCapacity } from './capacity.ts'
import { cancelChannel, createCancel } from './control/cancel.ts'
import { type Control, createControl } from './control/control.ts'
import type { Step } from './definition/step-types.ts'
import { createExecutionHandler, type ExecutionHandlerOptions } from './execution/execution-handler.ts'
import { createExecutions, type Executions } from './executions.ts'
import { createFlowVersions } from './flows/flow-versions.ts'
import { createFlows, type Flows, type FlowsOptions } from './flows/flows.ts'
import { createHistory, type History, type HistoryOptions } from './history/history.ts'
import { openLive } from './live/live.ts'
import { createOutbox, type Outbox } from './outbox/outbox.ts'
import { createRetentionTask } from './retention/retention.ts'
import { createSchedules, type Schedules, type SchedulesOptions } from './schedules/schedules.ts'
import type { EngineSettings } from './settings.ts'
import type { StepExecutor } from './steps/step-run.ts'
import { createAdmission } from './store/admission.ts'
import type { ExecutionEnd } from './store/commit.ts'
import { createCommitWriter } from './store/commit-writer.ts'
import { createMemories, type Memories } from './store/memories.ts'
import { executionQueue } from './store/queue.ts'
import { createStartWriter } from './store/start-writer.ts'
import { openWaitingAccounts } from './waiting-accounts.ts'

/** Runs flows, and goes on with them whatever happens. */
export interface Engine extends AsyncDisposable {
  /** For the worker of this process. */
  readonly queues: readonly AnyQueueRegistration[]
  /** What one replica at a time does. */
  readonly tasks: readonly RecurringTask[]
  readonly flows: Flows
  readonly executions: Executions
  readonly capacity: Capacity
  readonly control: Control
  readonly schedules: Schedules
  readonly history: History
  readonly outbox: Outbox
  readonly memories: Memories
}

export interface EngineOptions {
  readonly database: Database
  readonly log: Logger
  readonly runStep: StepExecutor<Step>
  /** What an account may use. */
  readonly limitsOf: (accountId: string) => Promise<{ readonly concurrentWorkflows: number }>
  /** The money of an account. */
  readonly purseOf: (accountId: string) => Promise<Purse>
  /** Whether an account may have flows run for it. */
  readonly standingOf: SchedulesOptions['standingOf']
  readonly findModel: HistoryOptions['findModel']
  readonly checkModels?: FlowsOptions['checkModels']
  readonly checkAgents?: FlowsOptions['checkAgents']
  /** Whether somebody outside may want to hear of an execution. Default: nobody does. */
  readonly publishes?: ExecutionHandlerOptions['publishes']
  readonly settings: EngineSettings
}

/** What has ended is added up this often, and whenever somebody asks for the sums. */
const rollEveryMs = 5000

/** Between two looks at all accounts of which executions wait. */
const promoteEveryMs = 5000

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { database, log, runStep, limitsOf, purseOf, standingOf, findModel, settings } = options
  await using closing = new AsyncDisposableStack()
  const commits = closing.use(createCommitWriter(database))
  const starts = closing.use(createStartWriter(database))
  const live = closing.use(await openLive({ database, log }))
  const versions = createFlowVersions(database)
  const memories = createMemories(database)
  const mostOf = async (accountId: string) => (await limitsOf(accountId)).concurrentWorkflows
  const admission = createAdmission({ database, mostOf })
  /** Those who wait for an execution that runs here. */
  const waiting = new Map<string, PromiseWithResolvers<ExecutionEnd>>()
  const { onParked, onEnded } = closing.use(await openWaitingAccounts({ database, admission, log }))
  const outbox = createOutbox(database)
  const handler = createExecutionHandler({
    database,
    runStep,
    purseOf,
    commits,
    versions,
    memories,
    live,
    onEnded,
    publishes: options.publishes ?? (async () => false),
    onPublished: () => outbox.announce(),
  })

  function lookForCancel(id?: string): void {
    handler.lookForCancel(id).catch((error: unknown) => {
      log.warn({ err: error }, 'it could not be read which executions are to end')
    })
  }
  closing.use(await database.listen(cancelChannel, lookForCancel, () => lookForCancel()))

  const executions = createExecutions({
    database,
    starts,
    live,
    mostOf,
    waiting,
    cancel: createCancel({ database, versions, live, onEnded }),
    onParked,
  })
  const schedules = createSchedules({
    database,
    enqueue: (execution) => executions.enqueue(execution),
    standingOf,
  })
  const history = createHistory({ database, findModel })
  const opened = closing.move()
  return {
    queues: [
      serveQueue({
        queue: executionQueue,
        concurrency: settings.executionConcurrency,
        localConcurrency: settings.synchronousConcurrency,
        async handle(claim) {
          const waiter = waiting.get(claim.row.id)
          waiting.delete(claim.row.id)
          try {
            const end = await handler.handle(claim)
            waiter?.resolve(end)
          } catch (error) {
            waiter?.reject(error)
            throw error
          }
        },
      }),
      schedules.queue,
    ],
    tasks: [
      {
        name: 'engine.roll',
        everyMs: rollEveryMs,
        run: async (signal) => void (await history.roll({ signal })),
      },
      { name: 'engine.promote', everyMs: promoteEveryMs, run: () => admission.promoteAll() },
      { name: 'engine.recount', everyMs: 3_600_000, run: (signal) => admission.recount(signal) },
      createRetentionTask({ database, log, ...settings }),
    ],
    flows: createFlows({ database, checkModels: options.checkModels, checkAgents: options.checkAgents }),
    executions,
    capacity: createCapacity({ database, queueLimit: settings.queueLimit }),
    control: createControl({
      database,
      versions,
      async letIn(accountId) {
        onParked(accountId)
        await admission.promote([accountId])
      },
      onAdvance: (executionId) => live.advanced(executionId),
    }),
    schedules,
    history,
    outbox,
    memories,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
