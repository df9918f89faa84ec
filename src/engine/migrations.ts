/** The tables of flows and executions. */
export const engineMigrations = { owner: 'engine', folder: new URL('./sql/', import.meta.url) }
