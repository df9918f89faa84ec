import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import type { Principal, RatePolicy } from '#kernel/http'
import type { ChangeAuthor, Connections } from '../connections.ts'

/** The flows that name a secret or connection. */
type FindFlows = (
  part: 'secret' | 'connection',
  name: string,
) => Promise<readonly { readonly flowId: string; readonly label: string }[]>

export interface ConnectionRoutesOptions {
  readonly connections: Connections
  /** Path prefix of the API, such as `/ai-workflows/api`. */
  readonly prefix: string
  readonly findFlows: FindFlows
  readonly rates: {
    readonly reads: RatePolicy
    /** For requests that cause a request to another host. */
    readonly sends: RatePolicy
  }
}

/** Executions use them, so every account that may run flows may have them. */
export const usesConnections = { permission: 'run workflows' } as const

/** The account of the caller. Throws `authentication_required` for an anonymous caller. */
export function accountOf({ id }: Pick<Principal, 'id'>): string {
  if (id === null) throw kernelFailure('authentication_required')
  return id
}

export function authorOf({ principal, ip, headers }: FastifyRequest): ChangeAuthor {
  return { by: accountOf(principal), ip, user_agent: headers['user-agent']?.slice(0, 512) ?? null }
}

/** Throws `permission_denied` when the caller may not share. */
export function requireSharing({ permissions }: Pick<Principal, 'permissions'>): void {
  if (permissions.has('manage workflows')) return
  throw kernelFailure('permission_denied', {
    message: 'You need the permission "manage workflows" for secrets and connections that are shared.',
    details: { permission: ['manage workflows'] },
  })
}
