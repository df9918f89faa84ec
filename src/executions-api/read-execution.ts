import { type Engine, type ExecutionRecord, engineFailure } from '#engine'
import type { Principal } from '#kernel/http'
import { managesAll } from './access.ts'
import { type Expectation, expect } from './estimates.ts'
import { createReachOf, type Reach, type ReachOptions } from './problems.ts'
import type { LoopScopes } from './responses.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads an execution that the caller may see. Throws `execution_not_found` for every other id. */
export async function findExecution(
  { executions }: Pick<Engine, 'executions'>,
  principal: Pick<Principal, 'id' | 'permissions'>,
  id: string,
): Promise<ExecutionRecord> {
  return requireVisible(uuid.test(id) ? await executions.read(id) : undefined, { principal, id })
}

/** The same, with large outputs as a `JsonText`. */
export async function findWithTexts(
  { executions }: Pick<Engine, 'executions'>,
  principal: Pick<Principal, 'id' | 'permissions'>,
  id: string,
): Promise<ExecutionRecord> {
  return requireVisible(uuid.test(id) ? await executions.readWithTexts(id) : undefined, { principal, id })
}

function requireVisible(
  record: ExecutionRecord | undefined,
  { principal, id }: { readonly principal: Pick<Principal, 'id' | 'permissions'>; readonly id: string },
): ExecutionRecord {
  if (record !== undefined && (record.accountId === principal.id || managesAll(principal))) return record
  throw engineFailure('execution_not_found', {
    message: 'There is no execution with this id, or it belongs to another account.',
    details: { execution_id: id },
  })
}

/** An execution at one point in time, with all data that describe its status. */
export interface ExecutionStatus {
  readonly record: ExecutionRecord
  readonly expected: Expectation
  readonly reach: Reach
  /** The items of its loops that run; empty in a batch. */
  readonly scopes: LoopScopes
  readonly now: Date
}

interface StatusOptions extends ReachOptions {
  readonly engine: Pick<Engine, 'history' | 'executions'>
}

/** Returns a function that reads the data of an execution's status that its record does not contain. */
export function createStatusOf(
  options: StatusOptions,
): (record: ExecutionRecord) => Promise<ExecutionStatus> {
  const reachOf = createReachOf(options)
  return async (record) => {
    const now = new Date()
    const [expected, reach, scopes] = await Promise.all([
      expect(options.engine, record, now),
      reachOf(record),
      readScopes(options.engine, record),
    ])
    return { record, expected, reach, scopes, now }
  }
}

/** Only loops that run need a statement. */
async function readScopes(
  { executions }: StatusOptions['engine'],
  { id, definition, input, outcomes, startedAt, finishedAt }: ExecutionRecord,
): Promise<LoopScopes> {
  const isRunning = startedAt !== null && finishedAt === null && input.batch === undefined
  const ended = new Set(outcomes.map(({ stepId }) => stepId))
  const loops = definition.steps.filter((step) => step.type === 'for_each' && !ended.has(step.id))
  return isRunning && loops.length > 0
    ? await executions.countEndedScopes(
        id,
        loops.map((loop) => loop.id),
      )
    : new Map<string, never>()
}
