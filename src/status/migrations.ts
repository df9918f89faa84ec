/** The tables of services, history, incidents, MCP servers and interface usage. */
export const statusMigrations = { owner: 'status', folder: new URL('./sql/', import.meta.url) }
