import type { Permission } from './permissions.ts'

interface Scope {
  /** What an application that asks for it wants, as the consent page says it. */
  readonly about: string
  /** Permissions of the account that a credential with this scope may use. */
  readonly permissions: readonly Permission[]
}

/** What a restricted credential can be limited to. Routes name `models.*` themselves; the others stand for permissions. */
const scopeTable = {
  'models.read': { about: 'See which models there are', permissions: [] },
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

/** Held by everyone, so no scope is needed for it. */
const always: Permission = 'access content'

/** Those of the permissions that a credential limited to these scopes may use. */
export function narrowPermissions(
  permissions: ReadonlySet<string>,
  granted: ReadonlySet<string>,
): ReadonlySet<string> {
  const reached = new Set<string>([always])
  for (const name of granted) {
    if (isScope(name)) for (const permission of scopes[name].permissions) reached.add(permission)
  }
  return new Set([...permissions].filter((permission) => reached.has(permission)))
}

/** Reads scopes as clients write them: separated by spaces, commas or both. */
export function readScopes(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))]
}
