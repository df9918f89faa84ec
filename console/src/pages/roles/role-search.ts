import { readText } from '../../parts/read-search.ts'

/** The search parameters of the Roles page: the role that is open, or that one is being made. */
export interface RoleSearch {
  role?: string
  create?: true
}

/** Reads the address; what makes no sense is left out. */
export function readRoleSearch({ role, create }: Record<string, unknown>): RoleSearch {
  const name = readText(role)
  return { ...(name === undefined ? {} : { role: name }), ...(create === true ? { create } : {}) }
}
