/** The tables of tours, their recipes and what visitors did. */
export const toursMigrations = { owner: 'tours', folder: new URL('./sql/', import.meta.url) }
