/** Whether an account may have flows run for it: there is none, it was disabled, it lacks the permission, or it may. */
export type Standing = 'unknown' | 'disabled' | 'not_permitted' | 'permitted'

/** Why an account may not, for whoever looks at its schedule. */
export function describeStanding(standing: Exclude<Standing, 'permitted'>): string {
  if (standing === 'unknown') return 'The account of this schedule was deleted.'
  if (standing === 'disabled') return 'The account of this schedule is disabled.'
  return 'The account of this schedule lacks the permission "run workflows".'
}
