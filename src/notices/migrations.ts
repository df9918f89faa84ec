/** The table of notices. */
export const noticesMigrations = { owner: 'notices', folder: new URL('./sql/', import.meta.url) }
