import type { Database } from '#kernel/database'

interface FinishWatch {
  /** Resolves when the execution is stored as completed. */
  wait(id: string): Promise<void>
}

const lookEveryMs = 20

/** Polls all awaited executions with one statement, so that waiting costs almost nothing. */
export function createFinishWatch(database: Pick<Database, 'query'>): FinishWatch {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  let isLooking = false

  async function look(): Promise<void> {
    const rows = await database.query<{ id: string; status: string }>(
      `select id, status from engine_executions where id = any($1::uuid[]) and work_state = 'finished'`,
      [[...waiting.keys()]],
    )
    for (const { id, status } of rows) {
      const waiter = waiting.get(id)
      waiting.delete(id)
      if (status === 'completed') waiter?.resolve()
      else waiter?.reject(new Error(`execution ${id} ended as ${status}`))
    }
  }

  function lookAgain(): void {
    if (isLooking || waiting.size === 0) return
    isLooking = true
    setTimeout(() => {
      look()
        .catch((error: unknown) => {
          for (const waiter of waiting.values()) waiter.reject(error)
          waiting.clear()
        })
        .finally(() => {
          isLooking = false
          lookAgain()
        })
    }, lookEveryMs)
  }

  return {
    async wait(id) {
      const waiter = Promise.withResolvers<void>()
      waiting.set(id, waiter)
      lookAgain()
      await waiter.promise
    },
  }
}
