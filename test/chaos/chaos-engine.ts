import { createEngine, type Engine, type EngineOptions } from '#engine'
import type { Database } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'

export type RunStep = Extract<EngineOptions['runStep'], (...run: never[]) => unknown>

/** Maximum concurrent executions of an account: few enough that some are parked. */
export const maxPerAccount = 15

/** The engine of every chaos process. */
export function startChaosEngine(database: Database, runStep: RunStep): Promise<Engine> {
  return createEngine({
    database,
    log: createLogger({ level: 'error', format: 'json' }),
    runStep,
    limitsOf: async () => ({ concurrentWorkflows: maxPerAccount }),
    accountBudgetOf: async () => ({ reserve: async () => ({ settle: async () => undefined }) }),
    accountStatusOf: async () => 'permitted',
    findModel: async () => undefined,
    settings: {
      executionConcurrency: 8,
      synchronousConcurrency: 100,
      executionRetentionMs: 86_400_000,
      queueLimit: 100_000,
    },
  })
}
