/** The tables of what processes and machines went through. */
export const vitalsMigrations = { owner: 'kernel-vitals', folder: new URL('./sql/', import.meta.url) }
