/** The migrations of webhooks and their deliveries. Delivery partitions keep the older table name `webhook_lanes`. */
export const webhooksMigrations = { owner: 'webhooks', folder: new URL('./sql/', import.meta.url) }
