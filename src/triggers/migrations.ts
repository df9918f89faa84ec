/** The tables of triggers. */
export const triggersMigrations = { owner: 'triggers', folder: new URL('./sql/', import.meta.url) }
