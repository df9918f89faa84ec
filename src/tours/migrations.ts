/** The migrations of the tour tables. */
export const toursMigrations = { owner: 'tours', folder: new URL('./sql/', import.meta.url) }
