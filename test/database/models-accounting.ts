import { randomUUIDv7 } from 'node:crypto'
import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, openDatabase } from '#kernel/database'
import { createLogger, type Logger } from '#kernel/telemetry'
import type { ReservedFor } from '../../src/models/budgets/budget.ts'
import { type Budgets, createBudgets } from '../../src/models/budgets/budgets.ts'
import type { CallRecord } from '../../src/models/usage/call-record.ts'
import { createUsageRecorder, type UsageRecorder } from '../../src/models/usage/usage-recorder.ts'

export const quiet: Logger = createLogger({ level: 'silent', format: 'json' })

/** The call accounting of one replica. */
export interface CallAccounting extends AsyncDisposable {
  readonly usage: UsageRecorder
  readonly budget: Budgets
}

export function openCallAccounting(
  database: Database,
  options: { readonly renewEveryMs?: number; readonly waitMs?: number; readonly now?: () => Date } = {},
): CallAccounting {
  const usage = createUsageRecorder({ database })
  const budget = createBudgets({ database, usage, log: quiet, ...options })
  return {
    usage,
    budget,
    async [Symbol.asyncDispose]() {
      await budget[Symbol.asyncDispose]()
      await usage[Symbol.asyncDispose]()
    },
  }
}

/** A separate pool, like another process. */
export function connectAgain(url: string): Promise<Database> {
  return openDatabase({ settings: readSettings(databaseSettings, { DATABASE_URL: url }), log: quiet })
}

export function someCall(fields: Partial<ReservedFor> = {}): ReservedFor {
  return {
    callId: randomUUIDv7(),
    source: 'gateway',
    provider: 'openai',
    model: 'gpt-4o-mini',
    requestedModel: 'openai/gpt-4o-mini',
    priceSource: 'table',
    priceVersion: '0.1.8',
    attempts: 1,
    ...fields,
  }
}

export function someRecord(fields: Partial<CallRecord> = {}): CallRecord {
  const { callId: id, ...names } = someCall()
  return {
    id,
    accountId: 'ada',
    ...names,
    startedAt: new Date(),
    inputTokens: 100,
    cachedInputTokens: 40,
    outputTokens: 20,
    microDollars: 7,
    estimated: false,
    latencyMs: 900,
    firstTokenMs: 200,
    outcome: 'answered',
    failureCode: null,
    cacheHit: false,
    keyId: null,
    tags: [],
    executionId: null,
    stepId: null,
    route: null,
    traceId: null,
    ...fields,
  }
}
