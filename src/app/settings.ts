import ipaddr from 'ipaddr.js'
import {
  defineSettings,
  type Environment,
  readSettings,
  refineSetting,
  type SettingsGroup,
  type SettingsOf,
  setting,
} from '#kernel/config'
import { UserError } from '#kernel/errors'
import { clusterSettings } from '#settings/cluster'
import { engineSettings } from '#settings/engine'
import { identitySettings } from '#settings/identity'
import { databaseSettings } from '#settings/kernel/database'
import { encryptionSettings } from '#settings/kernel/encryption'
import { outboundSettings } from '#settings/kernel/outbound'
import { telemetrySettings } from '#settings/kernel/telemetry'
import { modelsSettings } from '#settings/models'
import { notificationsSettings } from '#settings/notifications'
import { statusSettings } from '#settings/status'
import { toursSettings } from '#settings/tours'
import { webhooksSettings } from '#settings/webhooks'

const platformSettings = defineSettings({
  environment: setting.choice('NODE_ENV', ['development', 'production', 'test'], {
    about: 'Chooses defaults that differ between development and production',
    default: 'development',
  }),
  host: setting.text('HOST', {
    about: 'Address the platform listens on; 0.0.0.0 for every network interface',
    default: '127.0.0.1',
  }),
  port: setting.port('PORT', {
    about: 'Port of the platform: console, APIs and documentation',
    default: 3000,
  }),
  metricsHost: setting.text('METRICS_HOST', {
    about: 'Address the metrics are served on',
    default: '127.0.0.1',
  }),
  metricsPort: setting.port('METRICS_PORT', { about: 'Port of the metrics, at /metrics', default: 9090 }),
  trustedProxies: refineSetting(
    setting.list('TRUSTED_PROXIES', {
      about: 'Addresses or CIDRs of proxies in front, whose X-Forwarded headers are believed',
      default: [],
    }),
    checkProxies,
  ),
  eventRetentionMs: setting.durationMs('EVENT_RETENTION', {
    about: 'How long the event log is kept',
    default: 90 * 86_400_000,
    max: 36_500 * 86_400_000,
  }),
  closeGraceMs: setting.durationMs('CLOSE_GRACE', {
    about: 'How long running requests and work may take to end when the process is asked to stop',
    default: 10_000,
  }),
})

function checkProxies(entries: readonly string[]): readonly string[] {
  const wrong = entries.find((entry) => !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
  if (wrong !== undefined)
    throw new Error(`has "${wrong}", which is neither an address nor a CIDR such as 10.0.0.0/8`)
  return entries
}

/** Every environment variable of the platform, by the part it belongs to. The configuration reference is generated from it. */
export const settingsByPart = {
  platform: platformSettings,
  database: databaseSettings,
  encryption: encryptionSettings,
  identity: identitySettings,
  cluster: clusterSettings,
  models: modelsSettings,
  engine: engineSettings,
  webhooks: webhooksSettings,
  notifications: notificationsSettings,
  tours: toursSettings,
  status: statusSettings,
  outbound: outboundSettings,
  telemetry: telemetrySettings,
} as const

type Parts = typeof settingsByPart

/** The parts of the platform a process runs: all of them, the server alone, or the background work alone. */
export type Role = 'all' | 'api' | 'worker'

export type Settings = { readonly [Part in keyof Parts]: SettingsOf<Parts[Part]> }

/** Reads all parts. One error lists every invalid value. */
export function readPlatformSettings(environment: Environment): Settings {
  const mistakes: string[] = []
  const read = Object.entries(settingsByPart).map(([part, group]) => {
    try {
      return [part, readSettings<SettingsGroup>(group, environment)] as const
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      mistakes.push(error.message)
      return [part, undefined] as const
    }
  })
  if (mistakes.length > 0) throw new UserError(mistakes.join('\n'))
  return Object.freeze(Object.fromEntries(read)) as Settings
}
