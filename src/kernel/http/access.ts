import { kernelFailure } from '#kernel/errors'
import type { Principal } from './principal.ts'

/**
 * Who may call a route. Every route declares one; a route without one fails the start, so nothing is open by accident.
 * An open route says why it is open; `identify` still finds out who is asking, for pages that differ when signed in.
 * A credential that is limited to scopes reaches a route by the route's `scope`, or by a permission that one of its scopes
 * stands for; routes for whoever is signed in are closed to it, unless they say `anyScope`.
 */
export type Access =
  | { readonly open: string; readonly identify?: true }
  | { readonly signedIn: true; readonly scope?: string; readonly anyScope?: true }
  | { readonly permission: string | readonly string[]; readonly scope?: string }

/** Throws unless the principal may use a route with this access. */
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
  const reached = 'permission' in access ? permitted : access.anyScope === true
  if (reached) return
  throw kernelFailure('insufficient_scope', {
    message: `This credential is limited to ${[...scopes].join(', ') || 'nothing'}, which does not reach here.`,
    details: { scopes: [...scopes] },
    headers: { 'www-authenticate': 'Bearer realm="tutti", error="insufficient_scope"' },
  })
}

/** The access rule in words, for the reference pages. */
export function describeAccess(access: Access): string {
  if ('open' in access) return `open: ${access.open}`
  const who =
    'permission' in access
      ? `permission ${[access.permission]
          .flat()
          .map((permission) => `\`${permission}\``)
          .join(' or ')}`
      : 'any signed-in account'
  if (access.scope !== undefined) return `${who}, scope \`${access.scope}\``
  return 'anyScope' in access ? `${who}, with any scope` : who
}
