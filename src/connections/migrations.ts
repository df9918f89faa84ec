/** The migrations of secrets and connections. They refer to the accounts of the module identity. */
export const connectionsMigrations = { owner: 'connections', folder: new URL('./sql/', import.meta.url) }
