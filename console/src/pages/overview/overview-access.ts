import type { Profile } from '../../api/responses.ts'

/** The access of an account to the parts of the overview. */
export interface OverviewAccess {
  /** The id of the account. */
  readonly account: string
  readonly runs: boolean
  /** Lists executions and schedules: its own, or those of all accounts. */
  readonly lists: boolean
  /** Decides about executions of all accounts. */
  readonly manages: boolean
  /** Sees quotas and the state of the queue. */
  readonly measures: boolean
  readonly administers: boolean
}

/** The parts of the overview an account may see; the rest is hidden rather than refused. */
export function accessOf({ id, permissions }: Pick<Profile, 'id' | 'permissions'>): OverviewAccess {
  const has = (permission: string) => permissions.includes(permission)
  const lists = has('run workflows') || has('manage workflows')
  return {
    account: id,
    runs: has('run workflows'),
    lists,
    manages: has('manage workflows'),
    measures: lists || has('view workflow analytics'),
    administers: has('administer llm'),
  }
}
