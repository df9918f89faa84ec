/** Whether an account may have flows run for it: there is none, it was disabled, it lacks the permission, or it may. */
export type AccountStatus = 'unknown' | 'disabled' | 'not_permitted' | 'permitted'

/** Why an account may not, for whoever looks at its schedule. */
export function describeAccountStatus(status: Exclude<AccountStatus, 'permitted'>): string {
  if (status === 'unknown') return 'The account of this schedule was deleted.'
  if (status === 'disabled') return 'The account of this schedule is disabled.'
  return 'The account of this schedule lacks the permission "run workflows".'
}
