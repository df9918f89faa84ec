import { type Access, type Principal, perCaller, type RatePolicy } from '#kernel/http'

/** For what starts executions. */
export const runsWorkflows = { permission: 'run workflows' } as const satisfies Access

/** For what reads or steers executions: one's own, or with `manage workflows` anybody's. */
export const seesExecutions = { permission: ['run workflows', 'manage workflows'] } as const satisfies Access

/** For what changes flows, and for other people's executions. */
export const managesWorkflows = { permission: 'manage workflows' } as const satisfies Access

/** For whoever has anything to do with flows. */
export const seesFlows = {
  permission: ['run workflows', 'manage workflows', 'view workflow analytics'],
} as const satisfies Access

export const seesAnalytics = { permission: 'view workflow analytics' } as const satisfies Access

const tenPerSecond = { limit: 10, windowSeconds: 1 }

/** Reading: ten requests a second for an account. */
export const readRate: RatePolicy = perCaller({
  name: 'workflows-reads',
  signedIn: tenPerSecond,
  anonymous: tenPerSecond,
})

/** Whether somebody may see and steer executions of others. */
export function managesAll({ permissions }: Pick<Principal, 'permissions'>): boolean {
  return permissions.has('manage workflows')
}
