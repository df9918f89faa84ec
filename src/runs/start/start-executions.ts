import type { FastifyRequest } from 'fastify'
import type { Engine, ExecutionInput, ExecutionRecord, WhatToRun } from '#engine'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Idempotency } from '#kernel/idempotency'
import type { Worker } from '#kernel/work'
import type { Asked } from './asked.ts'
import type { CallbackPlan } from './callback-plan.ts'
import type { Callback, OpenCallback } from './open-callback.ts'

interface StarterOptions {
  readonly engine: Pick<Engine, 'executions' | 'flows' | 'capacity'>
  readonly worker: Worker | undefined
  readonly idempotency: Pick<Idempotency, 'workIdOf'>
  /** What the callback of an execution hears, in the words of the interface; undefined when it names none. */
  readonly planCallback: (
    input: ExecutionInput,
    /** As the flow says; undefined when it says nothing. */
    flowTellsFailure: boolean | undefined,
  ) => CallbackPlan | undefined
  readonly openCallback: OpenCallback
}

export interface Started {
  readonly record: ExecutionRecord
  /** It is over, and the caller waited for it. */
  readonly isOver: boolean
  /** Who is called about it, and is told the secret only now; undefined when nobody is. */
  readonly callback: Callback | undefined
}

/** Starts what requests ask for. */
export interface Starter {
  /** Resolves when it is over for a caller who waits, else when it is in the queue. */
  start(request: FastifyRequest, asked: Asked, accountId: string): Promise<Started>
}

/**
 * | the caller waits | the flow needs approval | this process works | then                                                      |
 * |------------------|-------------------------|--------------------|-----------------------------------------------------------|
 * | no               |                         |                    | queued                                                    |
 * | yes              | yes                     |                    | queued; the answer is the same as for those who do not wait |
 * | yes              | no                      | yes                | run here, at once; with no local slot free as in the row below |
 * | yes              | no                      | no                 | queued, and followed to its end                           |
 *
 * A caller who leaves changes nothing: the execution goes on. What would have to be queued is refused while the queue is full.
 */
export function createStarter(options: StarterOptions): Starter {
  const { worker, idempotency, planCallback, openCallback } = options
  const { executions, flows, capacity } = options.engine

  async function read(id: string): Promise<ExecutionRecord> {
    const record = await executions.read(id)
    if (record === undefined) throw new Error(`execution ${id} is gone`)
    return record
  }

  /** Whoever runs it: here, or elsewhere after all. */
  async function untilOver(id: string, closing: AbortSignal): Promise<ExecutionRecord> {
    for await (const _ of executions.follow({ id, after: 0, signal: closing })) {
      // Only the end is of interest, and what is followed ends with it.
    }
    const record = await read(id)
    if (record.finishedAt === null) throw kernelFailure('shutting_down', { details: { execution_id: id } })
    return record
  }

  /** Undefined when this process runs as many executions directly as it may: then nothing was started. */
  async function runHere(
    what: WhatToRun,
    ours: Worker,
    closing: AbortSignal,
  ): Promise<ExecutionRecord | undefined> {
    const started = await executions.start(what, ours).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'no_local_slot') return undefined
      throw error
    })
    if (started === undefined) return undefined
    const { id, end } = started
    const ended = await end.then(
      () => true,
      () => false,
    )
    return ended ? await read(id) : await untilOver(id, closing)
  }

  return {
    async start(request, asked, accountId) {
      const flow = await flows.read(asked.flowId, asked.flowVersion)
      const id = idempotency.workIdOf(request)
      const needsApproval = flow.metadata.approval_required === true
      const what: WhatToRun = {
        id,
        flowId: flow.flowId,
        flowVersion: flow.version,
        accountId,
        priority: asked.priority,
        input: asked.input,
        needsApproval,
      }
      const waits = asked.waits && !needsApproval
      const { closing } = request.server
      // A request that came before and was not answered may have started it already.
      const isRepeated =
        request.headers['idempotency-key'] !== undefined && (await executions.read(id)) !== undefined
      const runsHere = waits && worker !== undefined && !isRepeated
      // Before anybody is told a secret for it.
      if (!runsHere && !isRepeated) await capacity.requireRoomInQueue()
      const plan = planCallback(
        asked.input,
        flow.definition.global_configuration?.error_handling?.notification_on_failure,
      )
      const callback =
        plan === undefined || asked.webhookField === undefined
          ? undefined
          : isRepeated
            ? { ...plan, secret: null }
            : await openCallback({ plan, field: asked.webhookField, executionId: id, accountId })
      if (runsHere) {
        const record = await runHere(what, worker, closing)
        if (record !== undefined) return { record, isOver: true, callback }
        await capacity.requireRoomInQueue()
      }
      if (!isRepeated) await executions.enqueue(what)
      return { record: waits ? await untilOver(id, closing) : await read(id), isOver: waits, callback }
    },
  }
}
