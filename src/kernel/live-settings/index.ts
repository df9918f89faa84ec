export {
  createLiveSettings,
  type LiveSettings,
  type LiveSettingsOptions,
  type SettingChanges,
  type SettingState,
  settingsEventTypes,
} from './live-settings.ts'
export { liveSettingsMigrations } from './migrations.ts'
