export { type Environment, readSettings } from './read-settings.ts'
export { defineSettings, type Setting, type SettingsGroup, type SettingsOf, setting } from './settings.ts'
