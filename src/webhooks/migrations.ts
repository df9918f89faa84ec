/** The tables of webhooks and their deliveries. */
export const webhooksMigrations = { owner: 'webhooks', folder: new URL('./sql/', import.meta.url) }
