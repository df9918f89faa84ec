import { callService, executeFlow, greet } from '../flows.ts'
import type { Kind } from '../kind.ts'

/** Two steps have the result, because the output of one may have 8 MiB. */
const outputBytes = 5_500_000

/** Synchronous calls with a result of 11 MB; a normal account calls a short flow. */
export const largeResults: Kind = {
  name: 'large results',
  async prepare({ abuser, addAccount, servicesUrl }) {
    const url = `${servicesUrl}/rows?bytes=${outputBytes}`
    const more = { max_response_size: 8 * 1024 * 1024 }
    await abuser.saveFlow('large', callService(url, more, 'one'), callService(url, more, 'other'))
    await abuser.saveFlow('short', greet)
    const account = await addAccount()
    return {
      abuse: [{ path: executeFlow, body: { flow_id: 'large', context: {} }, loops: 6 }],
      operations: [
        async ({ call }) => {
          await (await call(account, executeFlow, { flow_id: 'short', context: {} })).text()
        },
      ],
    }
  },
}
