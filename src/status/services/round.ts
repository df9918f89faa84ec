import type { Transaction } from 'kysely'
import type { NoTables } from '#kernel/database'
import type { ServiceName, ServiceReport, ServiceState } from './service.ts'

/** A service is told to be in another state than before. The first report of a service is a change from null. */
export interface ServiceChange {
  readonly service: ServiceName
  readonly from: ServiceState | null
  readonly to: ServiceState
  readonly text: string
  readonly at: Date
}

/** All services were looked at once. */
export interface Round {
  readonly at: Date
  readonly services: readonly ServiceReport[]
  readonly changes: readonly ServiceChange[]
}

/**
 * Called after every round, inside its transaction: what a listener writes is there together with the round, or not at all. It throws only
 * when the whole round is to be lost.
 */
export type RoundListener = (transaction: Transaction<NoTables>, round: Round) => Promise<void>
