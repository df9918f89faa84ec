import type { Permission } from './permissions.ts'

interface Scope {
  /** Shown on the consent page and returned by the API as `about`. */
  readonly about: string
  /** Permissions of the account that a credential with this scope may use. */
  readonly permissions: readonly Permission[]
}

/** The scopes a credential can be limited to. Routes require `models.*` by name; the other scopes stand for permissions. */
const scopeTable = {
  'models.read': { about: 'List the available models', permissions: [] },
  'models.generate': { about: 'Use models to generate text, on your account', permissions: [] },
  'workflows.run': { about: 'Run workflows and agents, on your account', permissions: ['run workflows'] },
  'workflows.manage': {
    about: 'Change workflows and webhooks, and read their analytics',
    permissions: ['manage workflows', 'manage webhooks', 'view workflow analytics'],
  },
  'tours.manage': {
    about: 'Create, change, delete and export tours, and read their analytics',
    permissions: [
      'create recipe tours',
      'edit recipe tours',
      'delete recipe tours',
      'export recipe tours',
      'view recipe tour analytics',
    ],
  },
} as const satisfies Readonly<Record<string, Scope>>

export type ScopeName = keyof typeof scopeTable

export const scopes: Readonly<Record<ScopeName, Scope>> = scopeTable

export const scopeNames = Object.keys(scopeTable) as readonly ScopeName[]

export function isScope(name: string): name is ScopeName {
  return Object.hasOwn(scopeTable, name)
}

/** Every caller has this permission, so it needs no scope. */
const publicPermission: Permission = 'access content'

/** Reduces the permissions of an account to those that a credential with these scopes may use. */
export function narrowPermissions(
  permissions: ReadonlySet<string>,
  granted: ReadonlySet<string>,
): ReadonlySet<string> {
  const allowed = new Set<string>([publicPermission])
  for (const name of granted) {
    if (isScope(name)) for (const permission of scopes[name].permissions) allowed.add(permission)
  }
  return new Set([...permissions].filter((permission) => allowed.has(permission)))
}

/** Parses a list of scopes separated by spaces, commas or both. */
export function readScopes(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))]
}
