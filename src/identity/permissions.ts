/** Every permission of the platform, with what it allows as the console says it. */
const permissionTable = {
  'access content': 'Read what is open to everyone.',
  'administer cluster': 'Add, change and remove the nodes that run models.',
  'administer llm':
    'See the state of the whole system, its events and metrics, and change its configuration.',
  'administer recipe tours': 'Do everything with tours, whoever made them.',
  'administer users':
    'Manage accounts and roles and read the audit log. Whoever has it can give themselves every other permission.',
  'create recipe tours': 'Make new tours.',
  'delete recipe tours': 'Delete tours.',
  'edit recipe tours': 'Change tours and their steps.',
  'export recipe tours': 'Export tours as recipes.',
  'manage webhooks': 'Register, change and remove webhooks.',
  'manage workflows': 'Make, change and delete workflows.',
  'run workflows': 'Run workflows and agents.',
  'view recipe tour analytics': 'See how tours are used.',
  'view workflow analytics': 'See how workflows run and what they cost.',
} as const satisfies Readonly<Record<string, string>>

export type Permission = keyof typeof permissionTable

/** A role that has all of them has each new one from the release that adds it. */
export const permissions = Object.keys(permissionTable) as readonly Permission[]

export const aboutPermissions: Readonly<Record<Permission, string>> = permissionTable
