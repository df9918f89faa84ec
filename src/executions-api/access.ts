import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import { type Access, type Principal, perCaller, type RatePolicy } from '#kernel/http'

/** The permissions that the routes of both APIs require. */
export const access = {
  /** Starts executions. */
  runsWorkflows: { permission: 'run workflows' },
  /** Reads or controls executions: the caller's own, or with `manage workflows` all. */
  seesExecutions: { permission: ['run workflows', 'manage workflows'] },
  /** Changes flows, agents and approvals. */
  managesWorkflows: { permission: 'manage workflows' },
  /** Reads flows, agents and the state of the platform. */
  seesFlows: { permission: ['run workflows', 'manage workflows', 'view workflow analytics'] },
  seesAnalytics: { permission: 'view workflow analytics' },
} as const satisfies Readonly<Record<string, Access>>

const tenPerSecond = { limit: 10, windowSeconds: 1 }

/** Ten reads a second for each account. */
export const readRate: RatePolicy = perCaller({
  name: 'workflows-reads',
  signedIn: tenPerSecond,
  anonymous: tenPerSecond,
})

/** Whether the caller may see and control the executions of other accounts. */
export function managesAll({ permissions }: Pick<Principal, 'permissions'>): boolean {
  return permissions.has('manage workflows')
}

/** The account of the caller. Anonymous callers may have a permission, but cannot own or pay. Throws `authentication_required`. */
export function requireAccount({ id }: Pick<Principal, 'id'>): string {
  if (id === null) throw kernelFailure('authentication_required')
  return id
}

/** The author that a saved revision names. */
export function authorOf({ principal }: Pick<FastifyRequest, 'principal'>) {
  return { accountId: principal.id, username: principal.username }
}
