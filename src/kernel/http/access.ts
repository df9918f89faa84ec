import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'

/**
 * The access rule of a route. A route without one stops the start, so that no route is open by accident. An open route gives its reason;
 * with `identify` the caller is authenticated nevertheless, for pages that differ when signed in. A credential limited to scopes may call
 * a route with that `scope`, or with a permission that one of its scopes grants. It may call a `signedIn` route only with `anyScope`.
 */
export type Access =
  | { readonly open: string; readonly identify?: true }
  | { readonly signedIn: true; readonly scope?: string; readonly anyScope?: true }
  | { readonly permission: string | readonly string[]; readonly scope?: string }

/** Throws `authentication_required`, `insufficient_scope` or `permission_denied` unless the principal may call the route. */
export function requireAccess(access: Access, principal: Principal): void {
  if ('open' in access) return
  const needed = 'permission' in access ? [access.permission].flat() : []
  const permitted = needed.length === 0 || needed.some((permission) => principal.permissions.has(permission))
  if (principal.id === null && !(needed.length > 0 && permitted))
    throw kernelFailure('authentication_required')
  if (principal.scopes !== 'all') requireScope(access, principal.scopes, permitted)
  if (!permitted) {
    throw kernelFailure('permission_denied', {
      message: `You need the permission ${needed.map((permission) => `"${permission}"`).join(' or ')}.`,
      details: { permission: needed },
    })
  }
}

function requireScope(
  access: Exclude<Access, { open: string }>,
  scopes: ReadonlySet<string>,
  permitted: boolean,
): void {
  const { scope } = access
  if (scope !== undefined) {
    if (scopes.has(scope)) return
    throw kernelFailure('insufficient_scope', {
      message: `This credential lacks the scope "${scope}".`,
      details: { scope },
      headers: {
        'www-authenticate': `Bearer realm="tutti", error="insufficient_scope", scope="${scope}"`,
      },
    })
  }
  const allowed = 'permission' in access ? permitted : access.anyScope === true
  if (allowed) return
  throw kernelFailure('insufficient_scope', {
    message: `The scopes of this credential (${[...scopes].join(', ') || 'none'}) do not allow this request.`,
    details: { scopes: [...scopes] },
    headers: { 'www-authenticate': 'Bearer realm="tutti", error="insufficient_scope"' },
  })
}

/** Describes the access rule for the reference pages. */
export function describeAccess(access: Access): string {
  if ('open' in access) return `open: ${access.open}`
  const callers =
    'permission' in access
      ? `permission ${[access.permission]
          .flat()
          .map((permission) => `\`${permission}\``)
          .join(' or ')}`
      : 'any signed-in account'
  if (access.scope !== undefined) return `${callers}, scope \`${access.scope}\``
  return 'anyScope' in access ? `${callers}, with any scope` : callers
}

/** The parts of a request that its caller is authenticated by. */
export interface CredentialRequest extends Pick<FastifyRequest, 'headers' | 'ip' | 'method' | 'cookies'> {
  readonly routeOptions: { readonly config: Pick<FastifyContextConfig, 'csrfToken'> }
}

/** Limits of an API key besides those of its account; undefined: no limit of its own. */
export interface KeyLimits {
  /** The models that the key may call: ids, `provider/id`, or patterns with `*`. */
  readonly models?: readonly string[] | undefined
  readonly microDollarsPerDay?: number | undefined
  readonly microDollarsPerMonth?: number | undefined
  /** For the whole life of the key. */
  readonly microDollarsTotal?: number | undefined
  readonly requestsPerMinute?: number | undefined
  readonly tokensPerMinute?: number | undefined
}

/** The authenticated caller, in the same form for every authentication method: permissions decide, not the credential. */
export interface Principal {
  /** The account's id, or null for an anonymous caller. */
  readonly id: string | null
  readonly username: string | null
  readonly method: 'anonymous' | 'session' | 'basic' | 'api_key' | 'token'
  /** Id of the session, key or grant that was used; null where there is none. */
  readonly credential: string | null
  readonly roles: readonly string[]
  /** The permissions of the account, already restricted to those of the credential. */
  readonly permissions: ReadonlySet<string>
  /** The scopes of a restricted credential; `all` for users and unrestricted keys. */
  readonly scopes: ReadonlySet<string> | 'all'
  readonly tier: string
  /** The limits of the API key that was used; undefined for other credentials and keys without limits. */
  readonly limits?: KeyLimits | undefined
}

/** A caller without credentials or permissions. */
export const anonymousPrincipal: Principal = {
  id: null,
  username: null,
  method: 'anonymous',
  credential: null,
  roles: [],
  permissions: new Set(),
  scopes: 'all',
  tier: 'basic',
}
