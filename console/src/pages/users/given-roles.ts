/** The role that every account has without an assignment. */
const heldByAll = 'authenticated'

/** The roles assigned to an account. */
export function givenRoles(roles: readonly string[]): string[] {
  return roles.filter((name) => name !== heldByAll)
}

/** Whether a role can be assigned. The roles of all accounts and of anonymous requests cannot. */
export function isGivable(role: string): boolean {
  return role !== heldByAll && role !== 'anonymous'
}
