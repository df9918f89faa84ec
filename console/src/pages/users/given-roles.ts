/** Held by every account without being given to any. */
const heldByAll = 'authenticated'

/** The roles assigned to an account. */
export function givenRoles(roles: readonly string[]): string[] {
  return roles.filter((name) => name !== heldByAll)
}

/** Whether a role can be given to an account: some belong to everybody, or to those without one. */
export function isGivable(role: string): boolean {
  return role !== heldByAll && role !== 'anonymous'
}
