/** The table of notices. */
export const notificationsMigrations = { owner: 'notices', folder: new URL('./sql/', import.meta.url) }
