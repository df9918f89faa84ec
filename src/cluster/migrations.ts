/** The tables of what operators have changed. */
export const clusterMigrations = { owner: 'cluster', folder: new URL('./sql/', import.meta.url) }
