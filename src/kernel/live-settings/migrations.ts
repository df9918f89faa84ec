/** The table of stored settings. */
export const liveSettingsMigrations = {
  owner: 'kernel-live-settings',
  folder: new URL('./sql/', import.meta.url),
}
