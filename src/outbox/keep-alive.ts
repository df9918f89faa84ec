import { type Executor, runStatement } from '#kernel/work'

/**
 * Keeps a transaction alive in which a dispatch reads elsewhere: PostgreSQL ends a transaction that is idle for ten seconds. Returns a
 * function that runs a statement when none ran for `idleMs`.
 */
export function createKeepAlive(executor: Executor): (idleMs: number) => Promise<void> {
  let aliveAtMs = performance.now()
  return async (idleMs) => {
    if (performance.now() - aliveAtMs < idleMs) return
    await runStatement(executor, 'select 1', [])
    aliveAtMs = performance.now()
  }
}
