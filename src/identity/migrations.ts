/** The tables of accounts, roles, sessions and sign-in limits. */
export const identityMigrations = { owner: 'identity', folder: new URL('./sql/', import.meta.url) }
