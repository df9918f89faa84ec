import { randomUUIDv7 } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { type AnyQueueRegistration, type RecurringTask, serveQueue, type Worker } from '#kernel/work'
import type { Budget, Models } from '#models'
import { type Activity, type Capacity, createActivity, createCapacity } from './activity.ts'
import { type Cancel, type Control, cancelChannel, createCancel, createControl } from './control/control.ts'
import type { Step } from './definition/step-types.ts'
import { engineFailure } from './errors.ts'
import { createExecutionHandler, type ExecutionHandlerOptions } from './execution/execution-handler.ts'
import type { ExecutionInput, Priority } from './execution/input.ts'
import type { Evaluated } from './expressions/evaluate.ts'
import { createExpressionEvaluator } from './expressions/evaluator.ts'
import type { Scope } from './expressions/paths.ts'
import { createFlowTests, type FlowTests } from './flow-tests/flow-tests.ts'
import { findBuiltinWarnings, findModelWarnings } from './flows/check-whole-flow.ts'
import { findSecretWarnings } from './flows/find-secret-warnings.ts'
import { createFlows, type Flows, type FlowsOptions } from './flows/flows.ts'
import { createFlowVersions, type Page } from './flows/read-flows.ts'
import { createHistory, type History, type HistoryOptions } from './history/history.ts'
import { type FollowedEvent, type FollowOptions, followExecution } from './live/follow-execution.ts'
import { type Live, type LiveStep, openLive } from './live/live.ts'
import { createRetentionTask } from './retention/retention.ts'
import { createSchedules, type Schedules, type SchedulesOptions } from './schedules/schedules.ts'
import type { EngineSettings } from './settings.ts'
import { createReplay } from './steps/replay-steps.ts'
import { createStepExecutor, type StepExecutorOptions } from './steps/run-step.ts'
import type { StepExecutor } from './steps/step-run.ts'
import { createAdmission, openWaitingAccounts } from './store/admission.ts'
import type { LeaseEnd } from './store/commit.ts'
import { createCommitWriter } from './store/commit-writer.ts'
import {
  type ExecutionFilter,
  type ExecutionPage,
  type LatestRun,
  listExecutions,
  readLatestRuns,
} from './store/list-executions.ts'
import { createMemories, type Memories } from './store/memories.ts'
import { type ExecutionRow, executionQueue } from './store/queue.ts'
import { readExecution, type StoredExecution } from './store/read-execution.ts'
import { createStartWriter, type NewExecution, type StartWriter } from './store/start-writer.ts'
import {
  countScopes,
  type NestedCounts,
  readScope,
  readScopes,
  type ScopeAddress,
  type ScopePage,
  type TracedScope,
} from './trace/read-scopes.ts'
import { createHumanTasks, type HumanTasks } from './waits/human-tasks.ts'
import { wakeChannel } from './waits/wait.ts'
import { openWaits, type Waits } from './waits/waits.ts'

/** The durable execution engine: runs flows, and recovers their executions after a crash. */
export interface Engine extends AsyncDisposable {
  /** Queues that the worker of this process serves. */
  readonly queues: readonly AnyQueueRegistration[]
  /** Recurring tasks that one replica at a time runs. */
  readonly tasks: readonly RecurringTask[]
  readonly flows: Flows
  readonly flowTests: FlowTests
  readonly executions: Executions
  readonly expressions: Expressions
  readonly capacity: Capacity
  readonly activity: Activity
  readonly control: Control
  readonly schedules: Schedules
  readonly history: History
  readonly memories: Memories
  /** Questions of executions to people. */
  readonly humanTasks: HumanTasks
  /** Events that executions wait for. */
  readonly events: Pick<Waits, 'send'>
}

/** Expressions that an author tries out. */
interface Expressions {
  /** Evaluates an expression with the limits it has in a flow. Throws `overloaded` when too many of the account wait, and `shutting_down`. */
  evaluate(trial: {
    readonly expression: string
    readonly variables: Readonly<Record<string, unknown>>
    readonly accountId: string
  }): Promise<Evaluated>
}

/** An author tries out one expression at a time. */
const maxWaitingTrials = 10

function scopeOf(memory: Readonly<Record<string, unknown>>): Scope {
  return { memory, context: {}, steps: {}, variables: () => ({ now: new Date() }) }
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
  /** The routes that steps may name in place of a model. Default: none. */
  readonly routeNames?: Models['routeNames'] | undefined
  readonly checkAgents?: FlowsOptions['checkAgents']
  readonly requireUsableSchema?: FlowsOptions['requireUsableSchema']
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
    routeNames,
    settings,
  } = options
  const secrets = typeof runStep === 'function' ? undefined : runStep.secrets
  await using closing = new AsyncDisposableStack()
  const commits = closing.use(createCommitWriter(database))
  const starts = closing.use(createStartWriter(database))
  const live = closing.use(await openLive({ database, log }))
  const evaluator = closing.use(createExpressionEvaluator())
  const versions = createFlowVersions(database)
  const memories = createMemories(database)
  const maxOf = async (accountId: string) => (await limitsOf(accountId)).concurrentWorkflows
  const admission = createAdmission({ database, maxOf })
  /** Callers that wait for an execution that runs here. */
  const waiting = new Map<string, PromiseWithResolvers<LeaseEnd>>()
  const { onParked, onEnded } = closing.use(await openWaitingAccounts({ database, admission, log }))
  async function promote(accountIds: readonly string[]): Promise<void> {
    for (const accountId of accountIds) onParked(accountId)
    await admission.promote(accountIds)
  }
  const waits = closing.use(openWaits({ database, log, promote }))
  const handler = createExecutionHandler({
    database,
    runStep: createReplay(wrapRunStep(typeof runStep === 'function' ? runStep : createStepExecutor(runStep))),
    evaluator,
    accountBudgetOf,
    commits,
    versions,
    memories,
    live,
    onEnded,
    hasSubscribers: options.hasSubscribers ?? (async () => false),
    onOutboxEntries: options.onOutboxEntries ?? (() => {}),
    waits: waits.store,
    onWaitsError: (error) => log.warn({ err: error }, 'closed waits could not be read, retrying'),
  })

  function checkCancelled(id?: string): void {
    handler.checkCancelled(id).catch((error: unknown) => {
      log.warn({ err: error }, 'cancel requests could not be read')
    })
  }
  closing.use(await database.listen(cancelChannel, checkCancelled, () => checkCancelled()))

  function refreshWaits(id?: string): void {
    handler.refreshWaits(id).catch((error: unknown) => {
      log.warn({ err: error }, 'closed waits could not be read, retrying')
    })
  }
  closing.use(await database.listen(wakeChannel, refreshWaits, () => refreshWaits()))

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
  const flows = createFlows({
    database,
    checkModels:
      catalogue &&
      (async (definition) => [
        ...findModelWarnings(definition.steps, await catalogue.find(), await routeNames?.()),
        ...(typeof runStep === 'function'
          ? []
          : await findBuiltinWarnings(definition, { findModel, builtinRole: runStep.builtinRole })),
      ]),
    checkAgents: options.checkAgents,
    checkSecrets: secrets && (({ steps }, accountId) => findSecretWarnings(steps, accountId, secrets)),
    requireUsableSchema: options.requireUsableSchema,
  })
  const capacity = createCapacity({ database, queueLimit: settings.queueLimit })
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
      waits.task,
    ],
    flows,
    flowTests: createFlowTests({
      database,
      flows,
      executions,
      requireQueueCapacity: () => capacity.requireQueueCapacity(),
    }),
    executions,
    expressions: {
      evaluate: ({ expression, variables, accountId }) =>
        evaluator.evaluate(expression, scopeOf(variables), { accountId, maxWaiting: maxWaitingTrials }),
    },
    capacity,
    activity: createActivity(database),
    control: createControl({
      database,
      versions,
      enqueue: (execution) => executions.enqueue(execution),
      promote: (accountId) => promote([accountId]),
      onAdvance: (executionId) => live.advanced(executionId),
    }),
    schedules,
    history,
    memories,
    humanTasks: createHumanTasks({ database, onClosed: waits.onClosed }),
    events: waits,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Starts, reads, follows and cancels executions. */
interface Executions {
  /** Puts an execution into the queue. Resolves once it is on disk. */
  enqueue(start: ExecutionStart): Promise<QueuedExecution>
  /**
   * Runs an execution at once in this process. Resolves when it is on disk and running. Throws `too_many_executions` when the account
   * has no free slot, `no_local_slot` when this process has none, and `execution_exists` when the id is taken.
   */
  start(execution: ExecutionStart, worker: Worker): Promise<StartedExecution>
  /** Undefined: there is no execution with this id. */
  read(id: string): Promise<ExecutionRecord | undefined>
  /** The steps of one scope of a container, for the trace; undefined when the execution has no such scope. */
  readScope(execution: StoredExecution, at: ScopeAddress): Promise<TracedScope | undefined>
  /** The scopes of a container that have an outcome, failed ones first. Undefined: the container has not been opened. */
  readScopes(execution: StoredExecution, at: ScopeAddress, page: Page): Promise<ScopePage | undefined>
  /** The ended scopes of every opened container, by the step path of the container. */
  countScopes(id: string, item: number): Promise<ReadonlyMap<string, NestedCounts>>
  list(filter: ExecutionFilter): Promise<ExecutionPage>
  /** The newest executions of each flow, the newest first; of one account, or of all. */
  latestOf(
    flowIds: readonly string[],
    filter: { readonly accountId: string | undefined; readonly count: number },
  ): Promise<readonly LatestRun[]>
  /** Yields the events of an execution, stored and new ones, until it ends. */
  follow(options: FollowOptions): AsyncGenerator<FollowedEvent, void>
  readonly cancel: Cancel
}

/** A stored execution with its live steps. */
export interface ExecutionRecord extends StoredExecution {
  /** Running steps. */
  readonly live: readonly LiveStep[]
}

interface ExecutionStart {
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
  /** A uuid that makes the start idempotent. */
  readonly id?: string | undefined
  /** Parks the execution until it is approved. */
  readonly needsApproval?: boolean | undefined
  readonly scheduleId?: string | undefined
  /** The execution that it runs again. */
  readonly rerunOf?: string | undefined
  /** The trigger that starts it. */
  readonly triggerId?: string | undefined
}

interface StartedExecution {
  readonly id: string
  /** Resolves when it has ended, or was suspended because it only waits. Rejects when another worker ends it: read it then. */
  readonly end: Promise<LeaseEnd>
}

interface QueuedExecution {
  readonly id: string
  readonly parked: boolean
  /** An execution with this id existed already, and nothing was added. */
  readonly known: boolean
}

interface ExecutionsOptions {
  readonly database: Database
  readonly starts: StartWriter
  readonly live: Live
  readonly cancel: Cancel
  readonly maxOf: (accountId: string) => Promise<number>
  /** Callers that wait for an execution that runs here. */
  readonly waiting: Map<string, PromiseWithResolvers<LeaseEnd>>
  readonly onParked: (accountId: string) => void
}

function createExecutions(options: ExecutionsOptions): Executions {
  const { database, starts, live, cancel, maxOf, waiting, onParked } = options

  async function prepare(requested: ExecutionStart): Promise<NewExecution> {
    const { id = randomUUIDv7(), needsApproval = false, scheduleId, ...rest } = requested
    return { ...rest, id, needsApproval, scheduleId, maxActive: await maxOf(requested.accountId) }
  }

  return {
    async enqueue(requested) {
      const execution = await prepare(requested)
      const outcome = await starts.write(execution)
      if (outcome === 'parked' && !execution.needsApproval) onParked(execution.accountId)
      return { id: execution.id, parked: outcome === 'parked', known: outcome === 'known' }
    },

    async start(requested, worker) {
      const execution = await prepare(requested)
      const { id } = execution
      const startedAt = new Date()
      const waiter = Promise.withResolvers<LeaseEnd>()
      waiter.promise.catch(() => {})
      waiting.set(id, waiter)
      try {
        await worker.runLocally(executionQueue, {
          row: localRow(execution, startedAt),
          key: id,
          add: async ({ workerId }) => {
            const outcome = await starts.write({ ...execution, lease: { workerId, startedAt } })
            if (outcome === 'refused') {
              throw engineFailure('too_many_executions', { details: { limit: execution.maxActive } })
            }
            if (outcome === 'known')
              throw engineFailure('execution_exists', { details: { execution_id: id } })
          },
        })
      } catch (error) {
        waiting.delete(id)
        throw error
      }
      return { id, end: waiter.promise }
    },

    async read(id) {
      const stored = await readExecution(database, id)
      if (stored === undefined) return undefined
      return { ...stored, live: stored.status === 'running' ? runningSteps(stored, live.stepsOf(id)) : [] }
    },

    readScope: (execution, at) => readScope(database, execution, at),
    readScopes: (execution, at, page) => readScopes(database, execution, at, page),
    countScopes: (id, item) => countScopes(database, id, item),
    list: (filter) => listExecutions(database, filter),
    latestOf: (flowIds, filter) => readLatestRuns(database, flowIds, filter),
    follow: (followOptions) => followExecution({ database, live }, followOptions),
    cancel,
  }
}

function keyOf({ item, stepId }: Pick<LiveStep, 'item' | 'stepId'>): string {
  return `${item} ${stepId}`
}

/** Steps that started and have no outcome yet. Live messages add their phase and text. */
function runningSteps({ events, outcomes }: StoredExecution, liveSteps: readonly LiveStep[]): LiveStep[] {
  const started = events.flatMap(({ type, at, data: { step_id: stepId, item = 0 } }) =>
    type === 'step_started' && typeof stepId === 'string' && typeof item === 'number'
      ? [{ stepId, item, startedAt: at, phase: null, text: '' }]
      : [],
  )
  const steps = new Map<string, LiveStep>(started.map((step) => [keyOf(step), step]))
  for (const step of liveSteps) {
    steps.set(keyOf(step), { ...step, startedAt: steps.get(keyOf(step))?.startedAt ?? step.startedAt })
  }
  for (const outcome of outcomes) steps.delete(keyOf(outcome))
  return [...steps.values()]
}

function localRow(
  { id, flowId, flowVersion, accountId, priority, input }: NewExecution,
  startedAt: Date,
): ExecutionRow {
  return {
    id,
    flow_id: flowId,
    flow_version: flowVersion,
    account_id: accountId,
    status: 'running',
    priority,
    input,
    spent: 0,
    reserved: 0,
    approval: null,
    cancel: null,
    forked_from: null,
    created_at: startedAt,
    started_at: startedAt,
    timed_from: null,
    resumed_at: null,
    active_ms: 0,
    suspended_at: null,
    wakes: 0,
    isLocal: true,
  }
}
