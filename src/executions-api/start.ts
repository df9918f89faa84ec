import type { FastifyRequest } from 'fastify'
import type { Engine, ExecutionInput, ExecutionRecord } from '#engine'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Idempotency } from '#kernel/idempotency'
import type { Worker } from '#kernel/work'
import { type Callback, type CallbackOptions, type CallbackPlan, createCallbackOpener } from './callbacks.ts'

type WhatToRun = Parameters<Engine['executions']['enqueue']>[0]
type Priority = ExecutionRecord['priority']

/** A request to start an execution, in terms of the engine. */
export interface StartRequest {
  readonly flowId: string
  readonly flowVersion: number | undefined
  readonly priority: Priority
  readonly input: ExecutionInput
  /** Whether the caller waits for the result. */
  readonly waits: boolean
  /** The request field of the callback URL; undefined without one. */
  readonly webhookField: string | undefined
}

interface StarterOptions extends CallbackOptions {
  readonly engine: Pick<Engine, 'executions' | 'flows' | 'capacity'>
  readonly worker: Worker | undefined
  readonly idempotency: Pick<Idempotency, 'workIdOf'>
  /** The callback events of the API; undefined without a callback. */
  readonly planCallback: (
    input: ExecutionInput,
    /** The setting of the flow; undefined without one. */
    flowReportsFailure: boolean | undefined,
  ) => CallbackPlan | undefined
}

export interface Started {
  readonly record: ExecutionRecord
  /** Whether it has finished and the caller waited for it. */
  readonly isOver: boolean
  /** The callback with its secret, which is shown only now; undefined without a callback. */
  readonly callback: Callback | undefined
}

/** Starts executions. */
export interface Starter {
  /**
   * Resolves once the execution has finished for a waiting caller, else once it is queued. Throws `flow_not_found`, `queue_full`,
   * `invalid_input` for a callback URL that may not be called, and `shutting_down` when the process stops before the end.
   */
  start(request: FastifyRequest, wanted: StartRequest, accountId: string): Promise<Started>
}

/**
 * | the caller waits | the flow needs approval | this process works | then                                                             |
 * |------------------|-------------------------|--------------------|------------------------------------------------------------------|
 * | no               |                         |                    | queued                                                           |
 * | yes              | yes                     |                    | queued; the response is the same as for callers that do not wait |
 * | yes              | no                      | yes                | run locally; without a free local slot as in the row below       |
 * | yes              | no                      | no                 | queued, and followed to its end                                  |
 *
 * The execution continues when the caller disconnects. While the queue is full, executions that need it are refused.
 */
export function createStarter(options: StarterOptions): Starter {
  const { worker, idempotency, planCallback } = options
  const { executions, flows, capacity } = options.engine
  const openCallback = createCallbackOpener(options)

  async function read(id: string): Promise<ExecutionRecord> {
    const record = await executions.read(id)
    if (record === undefined) throw new Error(`execution ${id} is gone`)
    return record
  }

  /** Follows the execution to its end, in whichever process it runs. */
  async function waitForEnd(id: string, closing: AbortSignal): Promise<ExecutionRecord> {
    for await (const _ of executions.follow({ id, after: 0, signal: closing })) {
      // Only the end matters: the stream ends with the execution.
    }
    const record = await read(id)
    if (record.finishedAt === null) throw kernelFailure('shutting_down', { details: { execution_id: id } })
    return record
  }

  /** Undefined, and nothing is started, when this process has no free local slot. */
  async function runLocally(
    what: WhatToRun,
    localWorker: Worker,
    closing: AbortSignal,
  ): Promise<ExecutionRecord | undefined> {
    const started = await executions.start(what, localWorker).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'no_local_slot') return undefined
      throw error
    })
    if (started === undefined) return undefined
    const { id, end } = started
    const ended = await end.then(
      () => true,
      () => false,
    )
    return ended ? await read(id) : await waitForEnd(id, closing)
  }

  return {
    async start(request, wanted, accountId) {
      const flow = await flows.read(wanted.flowId, wanted.flowVersion)
      const id = idempotency.workIdOf(request)
      const needsApproval = flow.metadata.approval_required === true
      const what: WhatToRun = {
        id,
        flowId: flow.flowId,
        flowVersion: flow.version,
        accountId,
        priority: wanted.priority,
        input: wanted.input,
        needsApproval,
      }
      const waits = wanted.waits && !needsApproval
      const { closing } = request.server
      // An earlier request with the same idempotency key may have started it.
      const isRepeated =
        request.headers['idempotency-key'] !== undefined && (await executions.read(id)) !== undefined
      const runsLocally = waits && worker !== undefined && !isRepeated
      // Checked before a callback secret is created.
      if (!runsLocally && !isRepeated) await capacity.requireQueueCapacity()
      const plan = planCallback(
        wanted.input,
        flow.definition.global_configuration?.error_handling?.notification_on_failure,
      )
      const callback =
        plan === undefined || wanted.webhookField === undefined
          ? undefined
          : isRepeated
            ? { ...plan, secret: null }
            : await openCallback({ plan, field: wanted.webhookField, executionId: id, accountId })
      if (runsLocally) {
        const record = await runLocally(what, worker, closing)
        if (record !== undefined) return { record, isOver: true, callback }
        await capacity.requireQueueCapacity()
      }
      if (!isRepeated) await executions.enqueue(what)
      return { record: waits ? await waitForEnd(id, closing) : await read(id), isOver: waits, callback }
    },
  }
}
