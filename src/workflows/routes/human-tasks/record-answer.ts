import type { FastifyRequest } from 'fastify'
import type { HumanTask } from '#engine'
import type { Events } from '#kernel/events'

/** The type of the audit event about an answer. */
export const humanTaskEventTypes = ['workflows.human_task_answered'] as const

interface Answering {
  /** An account id, or `mail:` and an address. */
  readonly by: string
  /** How the person proved who they are: the method of sign-in, or `link` for the link in a mail. */
  readonly via: string
}

/** Returns the function that writes the audit event in the transaction of the answer. The answer itself is not part of it. */
export function recordAnswer(
  events: Pick<Events, 'appendWithin'>,
  task: Pick<HumanTask, 'id' | 'accountId' | 'executionId' | 'flowId' | 'stepId'>,
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  { by, via }: Answering,
): (transaction: Parameters<Events['appendWithin']>[0]) => Promise<void> {
  const { id, accountId, executionId: execution_id, flowId: flow_id, stepId: step_id } = task
  const user_agent = headers['user-agent']?.slice(0, 512) ?? null
  const data = { execution_id, flow_id, step_id, via, by, ip, user_agent }
  return async (transaction) => {
    await events.appendWithin(transaction, {
      type: 'workflows.human_task_answered',
      subject: id,
      account: accountId,
      data,
    })
  }
}
