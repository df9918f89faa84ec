import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import { customTierSetting } from './tiers/custom-tier.ts'

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
  apiKey: refineSetting(
    setting.secretText('TUTTI_API_KEY', {
      about: 'An API key of your own choosing with full access; 20 characters or more',
      optional: true,
    }),
    longEnough,
  ),
  publicUrl: refineSetting(
    setting.url('TUTTI_PUBLIC_URL', ['http:', 'https:'], {
      about: 'Address people and clients reach the platform by; without it, the address of each request',
      optional: true,
    }),
    withoutPath,
  ),
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
  customTier: customTierSetting,
  refreshGraceMs: setting.durationMs('TUTTI_REFRESH_GRACE', {
    about:
      'How long a used refresh token works once more, for two tabs that refresh together; 0s for not at all',
    default: 0,
    max: 60_000,
  }),
  signingKeyDays: setting.integer('TUTTI_SIGNING_KEY_DAYS', {
    about:
      'Days after which access tokens are signed with a new key; old tokens stay valid until they expire',
    default: 90,
    min: 1,
    max: 3650,
  }),
})

/** Cookies and redirects are for the whole host, so the platform cannot live under a path. */
function withoutPath(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const { origin, pathname, search, hash } = new URL(given)
  if (pathname !== '/' || search !== '' || hash !== '') {
    throw new Error(`must be an address without a path, such as ${origin}`)
  }
  return origin
}

/** It is stored as a plain hash, which only keeps what nobody can guess. */
function longEnough(given: string | undefined): string | undefined {
  if (given === undefined || /^[\x21-\x7e]{20,200}$/.test(given)) return given
  throw new Error('must be 20 to 200 letters, digits or signs, without spaces')
}

export type IdentitySettings = SettingsOf<typeof identitySettings>
