import { defineSettings, type SettingsOf, setting } from '#kernel/config'

/** The environment of accounts and sessions. */
export const identitySettings = defineSettings({
  adminUsername: setting.text('TUTTI_ADMIN_USERNAME', {
    about: 'Username of the first account, created when there is none',
    default: 'admin',
  }),
  adminPassword: setting.secretText('TUTTI_ADMIN_PASSWORD', {
    about: 'Password of the first account; without one it is generated and printed once',
    optional: true,
  }),
  sessionHours: setting.integer('TUTTI_SESSION_HOURS', {
    about: 'Hours after which a browser has to sign in again, used or not',
    default: 168,
    min: 1,
    max: 8760,
  }),
  sessionIdleHours: setting.integer('TUTTI_SESSION_IDLE_HOURS', {
    about: 'Hours without a request after which a session ends',
    default: 12,
    min: 1,
    max: 8760,
  }),
})

export type IdentitySettings = SettingsOf<typeof identitySettings>
