const all = 'administer recipe tours'

/** The permissions of the tour routes. Any tour permission allows reading; `administer recipe tours` allows everything. */
export const may = {
  read: {
    permission: [
      'create recipe tours',
      'edit recipe tours',
      'delete recipe tours',
      'export recipe tours',
      'view recipe tour analytics',
      all,
    ],
  },
  create: { permission: ['create recipe tours', all] },
  edit: { permission: ['edit recipe tours', all] },
  delete: { permission: ['delete recipe tours', all] },
  export: { permission: ['export recipe tours', all] },
  seeAnalytics: { permission: ['view recipe tour analytics', all] },
} as const
