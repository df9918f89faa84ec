/** Every permission of the platform. A role that has all of them has each new one from the release that adds it. */
export const permissions = [
  'access content',
  'administer cluster',
  'administer llm',
  'administer recipe tours',
  'administer users',
  'create recipe tours',
  'delete recipe tours',
  'edit recipe tours',
  'export recipe tours',
  'manage webhooks',
  'manage workflows',
  'run workflows',
  'view recipe tour analytics',
  'view workflow analytics',
] as const

export type Permission = (typeof permissions)[number]
