import { callService, executeFlow, greet } from '../flows.ts'
import type { Kind } from '../kind.ts'
import type { Operation } from '../measure-operations.ts'
import type { Account } from '../open-platform.ts'

const abusiveTriggers = 200
const resultBytes = 90_000
/** A trigger may start 60 executions a minute: so several accounts, with pauses. */
const normalAccounts = 16
const pauseMs = 1100

/**
 * Each end of an execution reaches 200 triggers whose filter reads the result and is false; normal accounts have one trigger each. The
 * time is from the end of an execution until the one that the trigger starts calls a service: accounts may not read lists often enough
 * to see when it exists.
 */
export const eventTriggers: Kind = {
  name: 'event triggers',
  async prepare({ abuser, addAccount, servicesUrl, database, receiver }) {
    await abuser.saveFlow('rows', callService(`${servicesUrl}/rows?bytes=${resultBytes}`))
    await abuser.saveFlow('source', greet)
    await abuser.saveFlow(
      'target',
      callService(receiver.url, { method: 'POST', body: { cause: '{{cause}}' } }),
    )
    for (let count = 0; count < abusiveTriggers; count += 1) {
      await abuser.call('/ai-workflows/api/triggers', {
        kind: 'event',
        flow_id: 'target',
        events: ['flow.execution.completed'],
        filter: { expression: `event.result[0].id == ${count + 1}` },
        enabled: false,
      })
    }

    // Directly: the server would refuse or delay two hundred requests at the end of the abuse.
    const enableTriggers = (isEnabled: boolean) =>
      database.query('update triggers set enabled = $1 where account_id = $2', [isEnabled, abuser.accountId])

    async function addNormalAccount(): Promise<Account> {
      const account = await addAccount()
      await account.call('/ai-workflows/api/triggers', {
        kind: 'event',
        flow_id: 'target',
        events: ['flow.execution.completed'],
        filter: { field: 'event.flow_id', operator: '==', value: 'source' },
        input: { cause: '{{event.execution_id}}' },
      })
      return account
    }

    const operationOf =
      (account: Account): Operation =>
      async ({ call, restart, signal }) => {
        const response = await call(account, executeFlow, { flow_id: 'source', context: {} })
        const { execution_id: id } = (await response.json()) as { execution_id: string }
        restart()
        await receiver.waitFor([id], signal)
      }

    const accounts = await Promise.all(Array.from({ length: normalAccounts }, addNormalAccount))
    /** Of the events before it, none is left when a trigger starts its flow. */
    const last = await addNormalAccount()
    const untilHandled = () =>
      operationOf(last)({
        signal: AbortSignal.timeout(120_000),
        call: (account, path, body) => account.call(path, body),
        restart: () => undefined,
      })

    return {
      abuse: [{ path: executeFlow, body: { flow_id: 'rows', context: {} }, loops: 8 }],
      operations: accounts.map(operationOf),
      pauseMs,
      beforeAbuse: () => enableTriggers(true),
      async afterAbuse() {
        await enableTriggers(false)
        await untilHandled()
      },
    }
  },
}
