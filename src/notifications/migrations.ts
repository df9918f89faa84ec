/** The migrations of the table `notices`. The owner keeps its older name, because applied migrations are recorded under it. */
export const notificationsMigrations = { owner: 'notices', folder: new URL('./sql/', import.meta.url) }
