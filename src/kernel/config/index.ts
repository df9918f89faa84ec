export {
  defineSettings,
  type Editable,
  type Environment,
  readSettings,
  refineSetting,
  type Setting,
  type SettingsGroup,
  type SettingsOf,
  setting,
} from './settings.ts'
