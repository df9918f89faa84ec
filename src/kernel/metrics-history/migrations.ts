/** The tables of the metrics history. Their names and the owner are older than the module's name. */
export const metricsHistoryMigrations = { owner: 'kernel-vitals', folder: new URL('./sql/', import.meta.url) }
