/** The tables of workers and recurring tasks. */
export const workMigrations = { owner: 'kernel-work', folder: new URL('./sql/', import.meta.url) }
