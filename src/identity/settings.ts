import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import type { TierLimits } from './tiers.ts'

/** Maximum values of TUTTI_CUSTOM_TIER. */
const upperLimits = { requests: 1_000_000_000, workflows: 1_000_000, microDollars: 1e15 }

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
  customTier: refineSetting(
    setting.text('TUTTI_CUSTOM_TIER', {
      editable: { section: 'tiers', label: 'Custom tier' },
      about: 'Limits of the tier `custom`: requests per hour, concurrent workflows, dollars per day',
      default: '1000,20,100',
    }),
    readCustomTier,
  ),
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

function readCustomTier(text: string): TierLimits {
  const [requests, workflows, dollars, ...more] = text.split(',').map((part) => part.trim())
  const requestsPerHour = readWhole(requests, upperLimits.requests)
  const concurrentWorkflows = readWhole(workflows, upperLimits.workflows)
  const microDollarsPerDay = readMicroDollars(dollars)
  const incomplete =
    requestsPerHour === undefined || concurrentWorkflows === undefined || microDollarsPerDay === undefined
  if (incomplete || more.length > 0) {
    throw new Error(
      `must be requests per hour, concurrent workflows and dollars per day, such as 1000,20,100, not "${text}"`,
    )
  }
  return { requestsPerHour, concurrentWorkflows, microDollarsPerDay }
}

function readWhole(text: string | undefined, max: number): number | undefined {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined
  const value = Number(text)
  return value >= 1 && value <= max ? value : undefined
}

/** Parses the digits as an integer: a fraction of a dollar has no exact binary representation. */
function readMicroDollars(text: string | undefined): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text ?? '') ?? []
  if (whole === undefined) return undefined
  const microDollars = Number(`${whole}${fraction.padEnd(6, '0')}`)
  return microDollars <= upperLimits.microDollars ? microDollars : undefined
}

export type IdentitySettings = SettingsOf<typeof identitySettings>
