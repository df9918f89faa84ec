/**
 * A worker that spends money, in a separate process. Every step reserves its maximum cost, records the cost of its call
 * as it is made, and settles. BUDGETS is a BudgetOrder.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createEngine, StepFailure } from '#engine'
import { Failure } from '#kernel/errors'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createWorker } from '#kernel/work'
import { connectAgain, openCallAccounting, someCall } from './models-accounting.ts'

export interface BudgetOrder {
  readonly microDollarsPerDay: number
  readonly maxCall: number
  /** The duration of a call is below this. */
  readonly maxCallMs: number
}

const log = createLogger({ level: 'error', format: 'json' })
const order = JSON.parse(process.env['BUDGETS'] ?? '') as BudgetOrder
const database = await connectAgain(process.env['DATABASE_URL'] ?? '')
const { budget: dailyBudget, usage } = openCallAccounting(database)

const engine = await createEngine({
  database,
  log,
  limitsOf: async () => ({ concurrentWorkflows: 1000 }),
  accountBudgetOf: async (accountId) =>
    dailyBudget.of({ accountId, microDollarsPerDay: order.microDollarsPerDay }),
  accountStatusOf: async () => 'permitted',
  findModel: async () => undefined,
  settings: {
    executionConcurrency: 70,
    synchronousConcurrency: 100,
    executionRetentionMs: 86_400_000,
    queueLimit: 100_000,
  },
  async runStep({ executionId, budget, signal }) {
    const most = 1 + Math.floor(Math.random() * order.maxCall)
    const cost = Math.floor(Math.random() * (most + 1))
    const reservation = await budget.reserve(most, someCall({ source: 'engine' })).catch(asStepFailure)
    try {
      await database.query('insert into budget_calls (execution_id, cost) values ($1, $2)', [
        executionId,
        cost,
      ])
      process.stdout.write('called\n')
      await delay(Math.random() * order.maxCallMs, undefined, { signal })
    } finally {
      await usage.record({ settlement: await reservation.settle(cost) })
    }
    return {
      output: cost,
      confidence: null,
      quality: null,
      details: {},
      usage: {
        provider: 'openai',
        model: 'gpt-4o-mini',
        inputTokens: 1,
        outputTokens: 1,
        microDollars: cost,
        aiCalls: 1,
        cacheHits: 0,
        networkRequests: 0,
        aiMs: 1,
        apiMs: 0,
      },
    }
  },
})
const worker = createWorker({
  database,
  log,
  metrics: createMetrics({ watchProcess: false }),
  role: 'worker',
  queues: engine.queues,
  timing: { heartbeatMs: 400, deadAfterMs: 3000, pollMs: 300 },
})
await worker.start()
process.stdout.write('ready\n')

function asStepFailure(error: unknown): never {
  if (!(error instanceof Failure) || error.code !== 'budget_used_up') throw error
  throw new StepFailure({ code: 'INSUFFICIENT_CREDITS', message: error.message, details: { day: true } })
}

const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 1000)
