/** The table of shared counts. */
export const limitsMigrations = { owner: 'kernel-limits', folder: new URL('./sql/', import.meta.url) }
