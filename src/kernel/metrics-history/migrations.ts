/** The tables of what processes and machines went through. */
export const metricsHistoryMigrations = { owner: 'kernel-vitals', folder: new URL('./sql/', import.meta.url) }
