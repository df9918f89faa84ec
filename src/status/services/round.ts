import type { Transaction } from 'kysely'
import type { NoTables } from '#kernel/database'
import type { ServiceName, ServiceReport, ServiceState } from './service.ts'

/** A change of a reported state. The first report of a service is a change from null. */
export interface ServiceChange {
  readonly service: ServiceName
  readonly from: ServiceState | null
  readonly to: ServiceState
  readonly text: string
  readonly at: Date
}

/** One probe of all services. */
export interface Round {
  readonly at: Date
  readonly services: readonly ServiceReport[]
  readonly changes: readonly ServiceChange[]
}

/**
 * Called in the transaction of every round: the writes of a listener commit together with the round. An error rolls back the whole round.
 */
export type RoundListener = (transaction: Transaction<NoTables>, round: Round) => Promise<void>
