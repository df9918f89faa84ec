import { readText } from '../../parts/read-search.ts'

/** The search parameters of the Roles page: the open role, and whether the form of a new role is open. */
export interface RoleSearch {
  role?: string
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readRoleSearch({ role, create }: Record<string, unknown>): RoleSearch {
  const name = readText(role)
  return { ...(name === undefined ? {} : { role: name }), ...(create === true ? { create } : {}) }
}
