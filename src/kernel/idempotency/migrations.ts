/** The table of requests that named a key. */
export const idempotencyMigrations = {
  owner: 'kernel-idempotency',
  folder: new URL('./sql/', import.meta.url),
}
