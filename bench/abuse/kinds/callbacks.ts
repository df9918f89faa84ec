import { callService, executeFlowAsync, greet } from '../flows.ts'
import type { Kind } from '../kind.ts'

const withCallbacks = (flow_id: string, webhook_url: string) => ({
  flow_id,
  context: {},
  options: { callback_config: { webhook_url, progress_callbacks: true } },
})

/** Executions with callbacks, of which several hundred end at about the same time; a normal account waits for the callback of one. */
export const callbacks: Kind = {
  name: 'callbacks',
  settings: { TUTTI_EXECUTION_CONCURRENCY: '1000' },
  async prepare({ abuser, addAccount, servicesUrl, receiver }) {
    await abuser.saveFlow('tick', callService(`${servicesUrl}/tick`))
    await abuser.saveFlow('short', greet)
    const account = await addAccount()
    return {
      abuse: [{ path: executeFlowAsync, body: withCallbacks('tick', `${servicesUrl}/callback`), loops: 16 }],
      operations: [
        async ({ call, signal }) => {
          // By its number: the callback may arrive before the response that has the id of the execution.
          const number = crypto.randomUUID()
          const received = receiver.waitFor([number, 'execution.completed'], signal)
          received.catch(() => undefined)
          await call(account, executeFlowAsync, withCallbacks('short', `${receiver.url}${number}`))
          await received
        },
      ],
    }
  },
}
