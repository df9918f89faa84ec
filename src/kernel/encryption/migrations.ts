/** The table of the secret's check. */
export const encryptionMigrations = {
  owner: 'kernel-encryption',
  folder: new URL('./sql/', import.meta.url),
}
