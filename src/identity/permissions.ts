/** Every permission of the platform, with the description that the console shows. */
const permissionTable = {
  'access content': 'Read public content.',
  'administer cluster': 'Add, change and remove cluster nodes.',
  'administer llm': 'View the state, events and metrics of the whole system, and change its configuration.',
  'administer recipe tours': 'Manage the tours of every account.',
  'administer users':
    'Manage accounts and roles and read the audit log. Accounts with this permission can assign themselves every other one.',
  'create recipe tours': 'Create tours.',
  'delete recipe tours': 'Delete tours.',
  'edit recipe tours': 'Change tours and their steps.',
  'export recipe tours': 'Export tours as recipes.',
  'manage webhooks': 'Register, change and remove webhooks.',
  'manage workflows': 'Create, change and delete workflows.',
  'run workflows': 'Run workflows and agents.',
  'view recipe tour analytics': 'View tour statistics.',
  'view workflow analytics': 'View workflow statistics and cost.',
} as const satisfies Readonly<Record<string, string>>

export type Permission = keyof typeof permissionTable

/** A role with `all_permissions` also has every permission that a later release adds. */
export const permissions = Object.keys(permissionTable) as readonly Permission[]

export const permissionDescriptions: Readonly<Record<Permission, string>> = permissionTable
