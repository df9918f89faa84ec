/** The migrations of the identity tables. */
export const identityMigrations = { owner: 'identity', folder: new URL('./sql/', import.meta.url) }
