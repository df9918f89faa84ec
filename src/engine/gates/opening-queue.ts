import type { GateScope } from './open-gate.ts'

export interface OpeningQueue extends AsyncDisposable {
  /** Returns at once. A scope that waits already is opened once. */
  readonly add: (scope: GateScope) => void
  /** Resolves once the openings that run now have ended. */
  settled(): Promise<void>
}

/** Flows whose gates this process opens at the same time: others wait, so that they do not take all connections to the database. */
const maxAtOnce = 4

/**
 * Opens gates, each flow in turn. All openings of a flow need the lock of its gate, so one at a time is as fast as several. A flow with
 * thousands of concurrency keys therefore takes one connection, and delays another flow by one opening.
 */
export function createOpeningQueue(openOne: (scope: GateScope) => Promise<void>): OpeningQueue {
  const waiting = new Map<string, Map<string | null, GateScope>>()
  const running = new Map<string, Promise<void>>()
  let isClosed = false

  function openWaiting(): void {
    for (const [flowId, scopes] of waiting) {
      if (running.size >= maxAtOnce || isClosed) return
      if (running.has(flowId)) continue
      const [scope] = scopes.values()
      if (scope === undefined) continue
      scopes.delete(scope.concurrencyKey)
      if (scopes.size === 0) waiting.delete(flowId)
      const opening = openOne(scope).finally(() => {
        running.delete(flowId)
        moveToEnd(flowId)
        openWaiting()
      })
      running.set(flowId, opening)
    }
  }

  function moveToEnd(flowId: string): void {
    const scopes = waiting.get(flowId)
    if (scopes === undefined) return
    waiting.delete(flowId)
    waiting.set(flowId, scopes)
  }

  async function settled(): Promise<void> {
    await Promise.all(running.values())
  }

  return {
    add(scope) {
      const scopes = waiting.get(scope.flowId) ?? new Map<string | null, GateScope>()
      scopes.set(scope.concurrencyKey, scope)
      waiting.set(scope.flowId, scopes)
      openWaiting()
    },
    settled,
    async [Symbol.asyncDispose]() {
      isClosed = true
      await settled()
    },
  }
}
