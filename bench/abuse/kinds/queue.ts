import { cancelExecutions } from '../cancel-executions.ts'
import { callService, executeFlowAsync, greet } from '../flows.ts'
import type { Kind } from '../kind.ts'
import { RequestRefused } from '../open-platform.ts'

const queueLimit = 300
const loops = 16

/** Queued executions of a slow flow, as many as the queue takes; a normal account starts a short one and follows it to its end. */
export const queue: Kind = {
  name: 'queue',
  // With the usual fifty slots, the abusive account does not start as many as it ends.
  settings: { TUTTI_QUEUE_LIMIT: String(queueLimit), TUTTI_EXECUTION_CONCURRENCY: '10' },
  async prepare({ abuser, addAccount, servicesUrl }) {
    await abuser.saveFlow('slow', callService(`${servicesUrl}/slow`))
    await abuser.saveFlow('short', greet)
    const account = await addAccount()
    const slow = { flow_id: 'slow', context: {} }

    /** Starts executions until the first is refused, or the queue would be full without those that have ended. */
    async function fillQueue(): Promise<void> {
      let left = 2 * queueLimit
      const start = async () => {
        while (left > 0) {
          left -= 1
          await abuser.call(executeFlowAsync, slow)
        }
      }
      await Promise.all(Array.from({ length: loops }, start)).catch((error: unknown) => {
        if (!(error instanceof RequestRefused)) throw error
        left = 0
      })
    }

    return {
      abuse: [{ path: executeFlowAsync, body: slow, loops }],
      operations: [
        async ({ call }) => {
          const response = await call(account, executeFlowAsync, { flow_id: 'short', context: {} })
          const { execution_id: id } = (await response.json()) as { execution_id: string }
          await (await call(account, `/ai-workflows/api/execution-stream/${id}`)).text()
        },
      ],
      beforeAbuse: fillQueue,
      afterAbuse: () => cancelExecutions(abuser),
    }
  },
}
