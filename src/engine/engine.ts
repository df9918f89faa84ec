import { randomUUIDv7 } from 'node:crypto'
import { type Database, retryWhenUnavailable } from '#kernel/database'
import { type AnyQueueRegistration, type Claim, serveQueue, type Worker } from '#kernel/work'
import type { Purse } from '#models'
import type { Step } from './definition/step-types.ts'
import type { ExecutionInput, Priority } from './execution/input.ts'
import { runExecution } from './execution/run-execution.ts'
import { createFlowVersions } from './flows/flow-versions.ts'
import type { StepExecutor } from './steps/step-run.ts'
import type { ExecutionEnd } from './store/commit.ts'
import { createCommitWriter } from './store/commit-writer.ts'
import { loadExecution } from './store/load-execution.ts'
import { type ExecutionRow, executionQueue } from './store/queue.ts'
import { createStartWriter } from './store/start-writer.ts'

export interface StartedExecution {
  readonly id: string
  /** How it ended. Rejects when that happens elsewhere: then the row tells. */
  readonly end: Promise<ExecutionEnd>
}

interface WhatToRun {
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
}

/** Runs flows, and goes on with them whatever happens. */
export interface Engine extends AsyncDisposable {
  /** For the worker of this process. */
  readonly queue: AnyQueueRegistration
  /** Puts an execution into the queue, for whichever worker is free. Answers its id once it is on disk. */
  enqueue(what: WhatToRun): Promise<string>
  /** Runs an execution in this process, at once. Resolves when it is on disk and has begun. */
  start(what: WhatToRun, worker: Worker): Promise<StartedExecution>
}

export interface EngineOptions {
  readonly database: Database
  readonly runStep: StepExecutor<Step>
  /** The money of an account. */
  readonly purseOf: (accountId: string) => Promise<Purse>
  /** Executions of the queue that run side by side in this process. */
  readonly concurrency: number
  readonly onToken?: (executionId: string, stepId: string, text: string) => void
}

/** How long a commit is tried again while the database is away; longer, and others have taken over anyway. */
const commitWithinMs = 30_000

export function createEngine({
  database,
  runStep,
  purseOf,
  concurrency,
  onToken = () => {},
}: EngineOptions): Engine {
  const commits = createCommitWriter(database)
  const starts = createStartWriter(database)
  const versions = createFlowVersions(database)
  /** Those who wait for an execution that runs here. */
  const waiting = new Map<string, PromiseWithResolvers<ExecutionEnd>>()

  async function handle(claim: Claim<ExecutionRow>): Promise<void> {
    const { id, flow_id: flowId, flow_version: version, account_id: accountId } = claim.row
    const waiter = waiting.get(id)
    waiting.delete(id)
    try {
      const definition = await versions.read(flowId, version)
      const end = await runExecution({
        execution: await loadExecution(database, claim, definition),
        runStep,
        write: (commit) => retryWhenUnavailable(() => commits.write(commit), { deadlineMs: commitWithinMs }),
        account: await purseOf(accountId),
        onToken: (stepId, text) => onToken(id, stepId, text),
        signal: claim.signal,
      })
      waiter?.resolve(end)
    } catch (error) {
      waiter?.reject(error)
      throw error
    }
  }

  return {
    queue: serveQueue({ queue: executionQueue, concurrency, handle }),

    async enqueue(what) {
      const id = randomUUIDv7()
      await starts.write({ ...what, id })
      return id
    },

    async start(what, worker) {
      const id = randomUUIDv7()
      const waiter = Promise.withResolvers<ExecutionEnd>()
      waiter.promise.catch(() => {})
      waiting.set(id, waiter)
      const begunAt = new Date()
      const row: ExecutionRow = {
        id,
        flow_id: what.flowId,
        flow_version: what.flowVersion,
        account_id: what.accountId,
        status: 'running',
        priority: what.priority,
        input: what.input,
        spent: 0,
        reserved: 0,
        created_at: begunAt,
        started_at: begunAt,
        adopted: true,
      }
      try {
        await worker.adopt(executionQueue, {
          row,
          key: id,
          add: ({ workerId }) => starts.write({ ...what, id, workerId }),
        })
      } catch (error) {
        waiting.delete(id)
        throw error
      }
      return { id, end: waiter.promise }
    },

    async [Symbol.asyncDispose]() {
      await starts[Symbol.asyncDispose]()
      await commits[Symbol.asyncDispose]()
    },
  }
}
