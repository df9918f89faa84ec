/** The tables of the event log. */
export const eventsMigrations = { owner: 'kernel-events', folder: new URL('./sql/', import.meta.url) }
