import { randomUUIDv7 } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { FlowVersions } from '../flows/flow-versions.ts'
import { type Decision, decideApproval } from './decide.ts'
import { type Fork, forkExecution } from './fork.ts'
import { type Recovery, recoverExecution } from './recover.ts'
import { listWaitingApprovals } from './waiting-approvals.ts'

/**
 * What people decide about executions that nobody works on. Each decision is one transaction that holds the row of the
 * execution: of two at the same time, or of one and a worker, the second finds what the first has made of it.
 */
export interface Control {
  /** Puts a failed execution back into the queue. */
  recover(id: string, recovery: Recovery): Promise<void>
  /** Makes a new execution that begins at a step of this one. */
  fork(
    id: string,
    fork: Omit<Fork, 'id'> & { readonly id?: string | undefined },
  ): Promise<{ readonly id: string; readonly parked: 'approval' | null }>
  /** Approves or rejects an execution that waits for it. */
  decide(id: string, decision: Decision): Promise<void>
  /** Executions that wait for approval. */
  waitingApprovals(page: Parameters<typeof listWaitingApprovals>[1]): ReturnType<typeof listWaitingApprovals>
}

export interface ControlOptions {
  readonly database: Database
  readonly versions: FlowVersions
  /** Lets in executions of the account that wait, as far as there is room. */
  readonly letIn: (accountId: string) => Promise<void>
  /** Called when the journal of an execution has grown. */
  readonly onAdvance?: (executionId: string) => void
}

export function createControl({ database, versions, letIn, onAdvance = () => {} }: ControlOptions): Control {
  return {
    async recover(id, recovery) {
      const { accountId } = await database.transaction((transaction) =>
        recoverExecution(transaction, id, recovery),
      )
      onAdvance(id)
      await letIn(accountId)
    },

    async fork(sourceId, { id = randomUUIDv7(), ...fork }) {
      const { needsApproval } = await database.transaction((transaction) =>
        forkExecution(transaction, sourceId, { ...fork, id }),
      )
      if (!needsApproval) await letIn(fork.accountId)
      return { id, parked: needsApproval ? 'approval' : null }
    },

    async decide(id, decision) {
      const { accountId } = await database.transaction((transaction) =>
        decideApproval(transaction, versions, id, decision),
      )
      onAdvance(id)
      await letIn(accountId)
    },

    waitingApprovals: (page) => listWaitingApprovals(database, page),
  }
}
