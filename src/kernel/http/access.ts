import { kernelFailure } from '#kernel/errors'
import type { Principal } from './principal.ts'

/**
 * Who may call a route. Every route declares one; a route without one fails the start, so nothing is open by accident.
 * An open route says why it is open; `identify` still finds out who is asking, for pages that differ when signed in.
 */
export type Access =
  | { readonly open: string; readonly identify?: true }
  | { readonly signedIn: true; readonly scope?: string }
  | { readonly permission: string | readonly string[]; readonly scope?: string }

/** Throws unless the principal may use a route with this access. */
export function requireAccess(access: Access, principal: Principal): void {
  if ('open' in access) return
  const needed = 'permission' in access ? [access.permission].flat() : []
  const permitted = needed.length === 0 || needed.some((permission) => principal.permissions.has(permission))
  if (principal.id === null && !(needed.length > 0 && permitted))
    throw kernelFailure('authentication_required')
  if (!permitted) {
    throw kernelFailure('permission_denied', {
      message: `You need the permission ${needed.map((permission) => `"${permission}"`).join(' or ')}.`,
      details: { permission: needed },
    })
  }
  if (access.scope !== undefined && principal.scopes !== 'all' && !principal.scopes.has(access.scope)) {
    throw kernelFailure('insufficient_scope', {
      message: `This credential lacks the scope "${access.scope}".`,
      details: { scope: access.scope },
    })
  }
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
  return access.scope === undefined ? who : `${who}, scope \`${access.scope}\``
}
