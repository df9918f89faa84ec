import type { Database } from '#kernel/database'
import type { Logger, Metrics } from '#kernel/telemetry'
import { type AnyQueueRegistration, type RecurringTask, serveQueue } from '#kernel/work'
import type { Budget, Models } from '#models'
import { type Activity, createActivity } from './activity.ts'
import { type Capacity, createCapacity } from './capacity.ts'
import { type Control, cancelChannel, createCancel, createControl } from './control/control.ts'
import type { Test } from './definition/common-step.ts'
import type { Step } from './definition/step-types.ts'
import { createExecutionHandler, type ExecutionHandlerOptions } from './execution/execution-handler.ts'
import { createExecutionMetrics } from './execution-metrics.ts'
import { createExecutions, type Executions } from './executions.ts'
import { isTrue, readTest } from './expressions/conditions.ts'
import type { Evaluated } from './expressions/evaluate.ts'
import { createExpressionEvaluator } from './expressions/evaluator.ts'
import type { Scope } from './expressions/paths.ts'
import { createFlowTests, type FlowTests } from './flow-tests/flow-tests.ts'
import { findBuiltinWarnings, findModelWarnings } from './flows/check-whole-flow.ts'
import { findSecretWarnings } from './flows/find-secret-warnings.ts'
import { createFlows, type Flows, type FlowsOptions } from './flows/flows.ts'
import { isOwnVersion } from './flows/is-own-version.ts'
import { createFlowVersions, readFlow } from './flows/read-flows.ts'
import { engineFeatures } from './flows/require-supported.ts'
import { createToolResolver, findToolWarnings } from './flows/resolve-tools.ts'
import { openGates } from './gates/gates.ts'
import { createHistory, type History, type HistoryOptions } from './history/history.ts'
import { openLive } from './live/live.ts'
import { createRetentionTask } from './retention/retention.ts'
import { createSchedules, type Schedules, type SchedulesOptions } from './schedules/schedules.ts'
import type { EngineSettings } from './settings.ts'
import { findChannelWarnings } from './steps/answer-channels.ts'
import { findAssigneeWarnings } from './steps/assignees.ts'
import { createReplay } from './steps/replay-steps.ts'
import { createStepExecutor, type StepExecutorOptions } from './steps/run-step.ts'
import type { StepExecutor } from './steps/step-run.ts'
import { createAdmission, openWaitingAccounts } from './store/admission.ts'
import type { LeaseEnd } from './store/commit.ts'
import { createCommitWriter } from './store/commit-writer.ts'
import type { EndedRow } from './store/end-execution.ts'
import { createLargeOutputs, type LargeOutputsOptions } from './store/large-outputs.ts'
import { createMemories, type Memories } from './store/memories.ts'
import { executionQueue } from './store/queue.ts'
import { createStartWriter } from './store/start-writer.ts'
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
  /**
   * Whether a condition holds, with the limits it has in a flow. Throws a StepFailure with EXPRESSION_FAILED, `overloaded` when too many of
   * the account wait, and `shutting_down`.
   */
  holds(tested: {
    readonly condition: Test
    readonly variables: Readonly<Record<string, unknown>>
    readonly accountId: string
  }): Promise<boolean>
}

/** An author tries out one expression at a time. */
const maxWaitingTrials = 10

/** Conditions of requests to triggers, which come at the same time. */
const maxWaitingConditions = 100

function scopeOf(memory: Readonly<Record<string, unknown>>): Scope {
  return { memory, context: {}, steps: {}, variables: () => ({ now: new Date() }) }
}

export interface EngineOptions {
  readonly database: Database
  readonly log: Logger
  /** The dependencies of the built-in step executors; or a function that runs steps in their place. */
  readonly runStep: Omit<StepExecutorOptions, 'isOwnVersion'> | StepExecutor<Step>
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
  /** The model that the agent of a step needs. Default: saving a flow does not warn that it lacks one. */
  readonly modelNeedOf?: Parameters<typeof findBuiltinWarnings>[1]['modelNeedOf']
  readonly requireUsableSchema?: FlowsOptions['requireUsableSchema']
  /** Whether an execution has subscribers, so that its events go into the outbox. Default: it has none. */
  readonly hasSubscribers?: ExecutionHandlerOptions['hasSubscribers']
  /** Invoked after each commit that added outbox entries. */
  readonly onOutboxEntries?: () => void
  /** Where outputs above 64 KB are stored, encrypted. Default: in the database. */
  readonly objects?: LargeOutputsOptions['objects'] | undefined
  readonly encryption?: LargeOutputsOptions['encryption'] | undefined
  /** The clock of the history. Default: the time of this machine. */
  readonly now?: HistoryOptions['now']
  /** How long a cancellation waits for the worker. Default: 10 s, by force 2 s. */
  readonly cancelWaitMs?: number | undefined
  /** What one execution may have in total. Default: the limits of `execution/totals.ts`. */
  readonly totalLimits?: ExecutionHandlerOptions['totalLimits']
  readonly settings: Omit<EngineSettings, 'searchUrl'>
  /** Default: nothing is measured. */
  readonly metrics?: Pick<Metrics, 'counter' | 'histogram'> | undefined
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
  const { answerChannels, findPeople } = typeof runStep === 'function' ? ({} as const) : runStep
  await using closing = new AsyncDisposableStack()
  const outputs = createLargeOutputs({
    database,
    objects: options.objects,
    encryption: options.encryption,
    log,
    metrics: options.metrics,
  })
  const commits = closing.use(createCommitWriter(database, outputs))
  const starts = closing.use(createStartWriter(database))
  const live = closing.use(await openLive({ database, log }))
  const evaluator = closing.use(createExpressionEvaluator())
  const versions = createFlowVersions(database)
  const memories = createMemories(database)
  const maxOf = async (accountId: string) => (await limitsOf(accountId)).concurrentWorkflows
  const admission = createAdmission({ database, maxOf })
  /** Callers that wait for an execution that runs here. */
  const waiting = new Map<string, PromiseWithResolvers<LeaseEnd>>()
  const accounts = closing.use(await openWaitingAccounts({ database, admission, log }))
  async function promote(accountIds: readonly string[]): Promise<void> {
    for (const accountId of accountIds) accounts.onParked(accountId)
    await admission.promote(accountIds)
  }
  const gates = closing.use(openGates({ database, log, promote }))
  function onEnded({
    account_id: accountId,
    flow_id: flowId,
    concurrency_key: concurrencyKey,
  }: EndedRow): void {
    accounts.onEnded(accountId)
    if (concurrencyKey !== null) gates.open({ flowId, concurrencyKey })
  }
  const onFinished = options.metrics === undefined ? () => {} : createExecutionMetrics(options.metrics)
  const waits = closing.use(openWaits({ database, log, promote, openGate: gates.open }))
  const handler = createExecutionHandler({
    database,
    runStep: createReplay(
      wrapRunStep(
        typeof runStep === 'function'
          ? runStep
          : createStepExecutor({
              ...runStep,
              isOwnVersion: (flow, accountId) => isOwnVersion(database, flow, accountId),
            }),
      ),
    ),
    evaluator,
    accountBudgetOf,
    commits,
    outputs,
    versions,
    subFlows: {
      findFlow: (id, version) => readFlow(database, id, version),
      accountStatusOf,
    },
    memories,
    totalLimits: options.totalLimits,
    live,
    onEnded,
    onFinished,
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
    outputs,
    versions,
    starts,
    live,
    maxOf,
    gates,
    waiting,
    cancel: createCancel({ database, versions, live, onEnded, onFinished, waitMs: options.cancelWaitMs }),
    onParked: accounts.onParked,
  })
  const schedules = createSchedules({
    database,
    async enqueue(execution) {
      await capacity.requireQueueCapacity(execution.accountId)
      await executions.enqueue(execution)
    },
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
          : await findBuiltinWarnings(definition, {
              findModel,
              builtinRole: runStep.builtinRole,
              modelNeedOf: options.modelNeedOf,
            })),
      ]),
    checkAgents: options.checkAgents,
    checkChannels: answerChannels && (({ steps }) => findChannelWarnings(steps, answerChannels())),
    checkAssignees: findPeople && (({ steps }) => findAssigneeWarnings(steps, findPeople)),
    checkSecrets: secrets && (({ steps }, accountId) => findSecretWarnings(steps, accountId, secrets)),
    requireUsableSchema: options.requireUsableSchema,
    ...(typeof runStep !== 'function' && {
      resolveTools: createToolResolver(runStep),
      checkToolServers: ({ steps }) => findToolWarnings(steps, runStep),
    }),
  })
  const capacity = createCapacity({ database, queueLimit: settings.queueLimit })
  const opened = closing.move()
  return {
    queues: [
      serveQueue({
        queue: executionQueue,
        features: engineFeatures,
        concurrency: settings.executionConcurrency,
        localConcurrency: settings.synchronousConcurrency,
        sharedBy: 'account_id',
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
      createRetentionTask({ database, log, settings }),
      outputs.task,
      waits.task,
      gates.task,
    ],
    flows,
    flowTests: createFlowTests({
      database,
      outputs,
      flows,
      versions,
      executions,
      requireQueueCapacity: (accountId) => capacity.requireQueueCapacity(accountId),
    }),
    executions,
    expressions: {
      evaluate: ({ expression, variables, accountId }) =>
        evaluator.evaluate(expression, scopeOf(variables), { accountId, maxWaiting: maxWaitingTrials }),
      async holds({ condition, variables, accountId }) {
        const scope = scopeOf(variables)
        return await isTrue(readTest(condition), scope, (source) =>
          evaluator.evaluate(source, scope, { accountId, maxWaiting: maxWaitingConditions }),
        )
      },
    },
    capacity,
    activity: createActivity(database),
    control: createControl({
      database,
      versions,
      enqueue: (execution) => executions.enqueue(execution),
      async promote({ account_id: accountId, flow_id: flowId, ...keys }) {
        if ((keys.concurrency_key ?? keys.throttle_key) !== null) gates.open({ flowId, concurrencyKey: null })
        await promote([accountId])
      },
      onAdvance: (executionId) => live.advanced(executionId),
      onFinished,
    }),
    schedules,
    history,
    memories,
    humanTasks: createHumanTasks({ database, onClosed: waits.onClosed }),
    events: waits,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
