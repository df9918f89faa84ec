import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { type AnyQueueRegistration, type RecurringTask, serveQueue } from '#kernel/work'
import type { Budget, Models } from '#models'
import { type Activity, createActivity } from './activity.ts'
import { cancelChannel, createCancel } from './control/cancel.ts'
import { type Control, createControl } from './control/control.ts'
import type { Step } from './definition/step-types.ts'
import { engineFailure } from './errors.ts'
import { createExecutionHandler, type ExecutionHandlerOptions } from './execution/execution-handler.ts'
import { createExecutions, type Executions } from './executions.ts'
import { createFlowVersions } from './flows/flow-versions.ts'
import { createFlows, type Flows, type FlowsOptions } from './flows/flows.ts'
import { createHistory, type History, type HistoryOptions } from './history/history.ts'
import { openLive } from './live/live.ts'
import { createRetentionTask } from './retention/retention.ts'
import { createSchedules, type Schedules, type SchedulesOptions } from './schedules/schedules.ts'
import type { EngineSettings } from './settings.ts'
import { findModelWarnings } from './steps/check-models.ts'
import { createStepExecutor, type StepExecutorOptions } from './steps/run-step.ts'
import type { StepExecutor } from './steps/step-run.ts'
import { createAdmission } from './store/admission.ts'
import type { ExecutionEnd } from './store/commit.ts'
import { createCommitWriter } from './store/commit-writer.ts'
import { createMemories, type Memories } from './store/memories.ts'
import { executionQueue } from './store/queue.ts'
import { createStartWriter } from './store/start-writer.ts'
import { openWaitingAccounts } from './waiting-accounts.ts'

/** The durable execution engine: runs flows, and recovers their executions after a crash. */
export interface Engine extends AsyncDisposable {
  /** Queues that the worker of this process serves. */
  readonly queues: readonly AnyQueueRegistration[]
  /** Recurring tasks that one replica at a time runs. */
  readonly tasks: readonly RecurringTask[]
  readonly flows: Flows
  readonly executions: Executions
  readonly capacity: Capacity
  readonly activity: Activity
  readonly control: Control
  readonly schedules: Schedules
  readonly history: History
  readonly memories: Memories
}

export interface EngineOptions {
  readonly database: Database
  readonly log: Logger
  /** The dependencies of the built-in step executors; or a function that runs steps in their place. */
  readonly runStep: StepExecutorOptions | StepExecutor<Step>
  /** Replaces the executor of steps, given the usual one. */
  readonly wrapRunStep?: ((runStep: StepExecutor<Step>) => StepExecutor<Step>) | undefined
  readonly limitsOf: (accountId: string) => Promise<{ readonly concurrentWorkflows: number }>
  /** The daily budget of an account. */
  readonly accountBudgetOf: (accountId: string) => Promise<Budget>
  /** Whether an account may run flows. */
  readonly accountStatusOf: SchedulesOptions['accountStatusOf']
  readonly findModel: HistoryOptions['findModel']
  /** Saving a flow warns about its models with this catalogue. Default: it does not warn. */
  readonly catalogue?: Pick<Models['catalogue'], 'find'> | undefined
  readonly checkAgents?: FlowsOptions['checkAgents']
  /** Whether an execution has subscribers, so that its events go into the outbox. Default: it has none. */
  readonly hasSubscribers?: ExecutionHandlerOptions['hasSubscribers']
  /** Invoked after each commit that added outbox entries. */
  readonly onOutboxEntries?: () => void
  /** The clock of the history. Default: the time of this machine. */
  readonly now?: HistoryOptions['now']
  readonly settings: EngineSettings
}

/** How often ended executions are rolled up into the history; a query of the history does it, too. */
const rollEveryMs = 5000

/** How often parked executions of all accounts are promoted. */
const promoteEveryMs = 5000

/** Opens the engine. Throws when the database is unavailable. Its executions run once a worker serves `queues`. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const {
    database,
    log,
    runStep,
    wrapRunStep = (executor) => executor,
    limitsOf,
    accountBudgetOf,
    accountStatusOf,
    findModel,
    catalogue,
    settings,
  } = options
  await using closing = new AsyncDisposableStack()
  const commits = closing.use(createCommitWriter(database))
  const starts = closing.use(createStartWriter(database))
  const live = closing.use(await openLive({ database, log }))
  const versions = createFlowVersions(database)
  const memories = createMemories(database)
  const maxOf = async (accountId: string) => (await limitsOf(accountId)).concurrentWorkflows
  const admission = createAdmission({ database, maxOf })
  /** Callers that wait for an execution that runs here. */
  const waiting = new Map<string, PromiseWithResolvers<ExecutionEnd>>()
  const { onParked, onEnded } = closing.use(await openWaitingAccounts({ database, admission, log }))
  const handler = createExecutionHandler({
    database,
    runStep: wrapRunStep(typeof runStep === 'function' ? runStep : createStepExecutor(runStep)),
    accountBudgetOf,
    commits,
    versions,
    memories,
    live,
    onEnded,
    hasSubscribers: options.hasSubscribers ?? (async () => false),
    onOutboxEntries: options.onOutboxEntries ?? (() => {}),
  })

  function checkCancelled(id?: string): void {
    handler.checkCancelled(id).catch((error: unknown) => {
      log.warn({ err: error }, 'cancel requests could not be read')
    })
  }
  closing.use(await database.listen(cancelChannel, checkCancelled, () => checkCancelled()))

  const executions = createExecutions({
    database,
    starts,
    live,
    maxOf,
    waiting,
    cancel: createCancel({ database, versions, live, onEnded }),
    onParked,
  })
  const schedules = createSchedules({
    database,
    enqueue: (execution) => executions.enqueue(execution),
    accountStatusOf,
  })
  const history = createHistory({ database, findModel, ...(options.now && { now: options.now }) })
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
    flows: createFlows({
      database,
      checkModels:
        catalogue && (async (definition) => findModelWarnings(definition.steps, await catalogue.find())),
      checkAgents: options.checkAgents,
    }),
    executions,
    capacity: createCapacity({ database, queueLimit: settings.queueLimit }),
    activity: createActivity(database),
    control: createControl({
      database,
      versions,
      async promote(accountId) {
        onParked(accountId)
        await admission.promote([accountId])
      },
      onAdvance: (executionId) => live.advanced(executionId),
    }),
    schedules,
    history,
    memories,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The load of the engine and its limits. */
interface Capacity {
  /** Call before enqueueing an execution for a request. Throws `queue_full`. */
  requireQueueCapacity(): Promise<void>
  /** Executions of an account that are running or wait for a worker: those its limit counts. */
  activeOf(accountId: string): Promise<number>
}

interface CapacityOptions {
  readonly database: Pick<Database, 'query'>
  /** Maximum of queued executions of all accounts. */
  readonly queueLimit: number
  readonly now?: () => number
}

/** How often the queue is counted at most. Executions enqueued here in between are added to the count. */
const countEveryMs = 1000

const retryAfterSeconds = 5

export function createCapacity({
  database,
  queueLimit,
  now = () => performance.now(),
}: CapacityOptions): Capacity {
  let waiting = 0
  let countedAt = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | undefined

  async function count(): Promise<void> {
    const [row] = await database.query<{ count: number }>(
      `
        select count(*)::integer as count
        from (select from engine_executions where work_state = 'queued' limit $1) as waiting
      `,
      [queueLimit],
      'engine_queue_size',
    )
    waiting = row?.count ?? 0
    countedAt = now()
  }

  return {
    async requireQueueCapacity() {
      if (now() - countedAt >= countEveryMs) {
        counting ??= count().finally(() => {
          counting = undefined
        })
        await counting
      }
      if (waiting >= queueLimit) {
        throw engineFailure('queue_full', { details: { limit: queueLimit }, retryAfterSeconds })
      }
      waiting += 1
    },

    async activeOf(accountId) {
      const [row] = await database.query<{ active: number }>(
        `
          select greatest(0, known.admitted - (
            select coalesce(sum(ends.ended), 0) from engine_account_ends as ends
            where ends.account_id = known.account_id
          ))::integer as active
          from engine_accounts as known
          where known.account_id = $1
        `,
        [accountId],
      )
      return row?.active ?? 0
    },
  }
}
