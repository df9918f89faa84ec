import type { Profile } from '../../api/responses.ts'

/** Which parts of the overview an account has. */
export interface OverviewAccess {
  /** The account itself. */
  readonly account: string
  readonly runs: boolean
  /** Executions and schedules: its own, or everybody's. */
  readonly lists: boolean
  /** Decides about executions of everybody. */
  readonly manages: boolean
  /** Quotas and the state of the queue. */
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
