import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import { customTierSetting } from './tiers/custom-tier.ts'

/** The settings of accounts, sessions and tokens. */
export const identitySettings = defineSettings({
  adminUsername: setting.text('TUTTI_ADMIN_USERNAME', {
    about: 'Username of the first account, which is created when no account exists',
    default: 'admin',
  }),
  adminPassword: setting.secretText('TUTTI_ADMIN_PASSWORD', {
    about: 'Password of the first account; by default it is generated and printed once',
    optional: true,
  }),
  apiKey: refineSetting(
    setting.secretText('TUTTI_API_KEY', {
      about: 'An API key with full access, chosen by you; at least 20 characters',
      optional: true,
    }),
    longEnough,
  ),
  publicUrl: refineSetting(
    setting.url('TUTTI_PUBLIC_URL', ['http:', 'https:'], {
      about: 'Public URL of the platform; by default the URL of each request',
      optional: true,
    }),
    withoutPath,
  ),
  sessionHours: setting.integer('TUTTI_SESSION_HOURS', {
    about: 'Hours after which a browser session ends, even when it is in use',
    default: 168,
    min: 1,
    max: 8760,
  }),
  sessionIdleHours: setting.integer('TUTTI_SESSION_IDLE_HOURS', {
    about: 'Hours without a request after which a browser session ends',
    default: 12,
    min: 1,
    max: 8760,
  }),
  customTier: customTierSetting,
  refreshGraceMs: setting.durationMs('TUTTI_REFRESH_GRACE', {
    about:
      'How long a used refresh token is accepted once more, for two tabs that refresh at the same time; 0s: never',
    default: 0,
    max: 60_000,
  }),
  signingKeyDays: setting.integer('TUTTI_SIGNING_KEY_DAYS', {
    about:
      'Days after which the signing key of access tokens is replaced; issued tokens stay valid until they expire',
    default: 90,
    min: 1,
    max: 3650,
  }),
})

/** Cookies and redirects are for the whole host, so the platform cannot be served under a path. */
function withoutPath(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const { origin, pathname, search, hash } = new URL(given)
  if (pathname !== '/' || search !== '' || hash !== '') {
    throw new Error(`must be a URL without a path, such as ${origin}`)
  }
  return origin
}

/** The key is stored as a plain SHA-256 hash, which is safe only for a key that cannot be guessed. */
function longEnough(given: string | undefined): string | undefined {
  if (given === undefined || /^[\x21-\x7e]{20,200}$/.test(given)) return given
  throw new Error('must be 20 to 200 printable ASCII characters without spaces')
}

export type IdentitySettings = SettingsOf<typeof identitySettings>
