import { setTimeout as delay } from 'node:timers/promises'
import { type Caller, RequestRefused } from './open-platform.ts'

/** Cancels all executions of an account that have not ended. */
export async function cancelExecutions(account: Caller): Promise<void> {
  for (;;) {
    try {
      const response = await account.call('/ai-workflows/api/executions?state=queued,running&limit=100')
      const { executions } = (await response.json()) as {
        executions: readonly { readonly execution_id: string }[]
      }
      if (executions.length === 0) return
      const execution_ids = executions.map(({ execution_id }) => execution_id)
      await account.call('/ai-workflows/api/executions/cancel', { execution_ids })
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error
    }
    await delay(200)
  }
}
