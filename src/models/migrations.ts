/** The tables of calls, budgets, prices and provider keys. */
export const modelsMigrations = { owner: 'models', folder: new URL('./sql/', import.meta.url) }
