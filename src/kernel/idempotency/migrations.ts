/** The table of requests with an Idempotency-Key. */
export const idempotencyMigrations = {
  owner: 'kernel-idempotency',
  folder: new URL('./sql/', import.meta.url),
}
