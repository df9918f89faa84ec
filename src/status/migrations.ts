/** The tables of services and their history, incidents, MCP servers and how the interface is used. */
export const statusMigrations = { owner: 'status', folder: new URL('./sql/', import.meta.url) }
