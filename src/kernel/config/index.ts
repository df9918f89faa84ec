export { type Environment, readSettings } from './read-settings.ts'
export {
  defineSettings,
  refineSetting,
  type Setting,
  type SettingsGroup,
  type SettingsOf,
  setting,
} from './settings.ts'
