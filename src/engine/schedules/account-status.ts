/** Whether an account may run flows: it does not exist, is disabled, lacks the permission, or may. */
export type AccountStatus = 'unknown' | 'disabled' | 'not_permitted' | 'permitted'

/** Why the account of a schedule may not run flows. */
export function describeAccountStatus(status: Exclude<AccountStatus, 'permitted'>): string {
  if (status === 'unknown') return 'The account of this schedule was deleted.'
  if (status === 'disabled') return 'The account of this schedule is disabled.'
  return 'The account of this schedule lacks the permission "run workflows".'
}
