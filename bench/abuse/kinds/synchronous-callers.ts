import { callService, executeFlow, greet } from '../flows.ts'
import type { Kind } from '../kind.ts'

/** More synchronous callers of a slow flow than there are slots; a normal account calls a short flow. */
export const synchronousCallers: Kind = {
  name: 'synchronous callers',
  settings: { TUTTI_SYNCHRONOUS_CONCURRENCY: '4', TUTTI_EXECUTION_CONCURRENCY: '4' },
  async prepare({ abuser, addAccount, servicesUrl }) {
    await abuser.saveFlow('slow', callService(`${servicesUrl}/slow`))
    await abuser.saveFlow('short', greet)
    const account = await addAccount()
    return {
      abuse: [{ path: executeFlow, body: { flow_id: 'slow', context: {} }, loops: 20 }],
      operations: [
        async ({ call }) => {
          await (await call(account, executeFlow, { flow_id: 'short', context: {} })).text()
        },
      ],
    }
  },
}
