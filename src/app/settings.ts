import { availableParallelism } from 'node:os'
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
import { objectsSettings } from '#settings/kernel/objects'
import { outboundSettings } from '#settings/kernel/outbound'
import { telemetrySettings } from '#settings/kernel/telemetry'
import { modelsSettings } from '#settings/models'
import { notificationsSettings } from '#settings/notifications'
import { statusSettings } from '#settings/status'
import { toursSettings } from '#settings/tours'
import { webhooksSettings } from '#settings/webhooks'

const maxProcesses = 64

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
  processes: refineSetting(
    setting.text('TUTTI_WORKERS', {
      about:
        'Processes of one `tutti serve` or `tutti cluster`, which share its ports, connections and nodes; `auto` for one per processor core',
      default: '1',
    }),
    readProcesses,
  ),
  trustedProxies: refineSetting(
    setting.list('TRUSTED_PROXIES', {
      about: 'Addresses or CIDRs of proxies in front, whose X-Forwarded headers are believed',
      default: [],
    }),
    checkProxies,
  ),
  maxStreamsPerAccount: setting.integer('TUTTI_ACCOUNT_STREAMS', {
    about: 'Event streams that one account may have open at one process',
    default: 1000,
    min: 1,
    max: 100_000,
  }),
  loopDelayLimitMs: setting.durationMs('TUTTI_LOOP_DELAY_LIMIT', {
    about:
      'Average delay of the event loop, in two half seconds in a row, from which new requests get 503 with `Retry-After` until it is shorter',
    default: 1000,
    min: 100,
  }),
  eventRetentionMs: setting.durationMs('EVENT_RETENTION', {
    about: 'How long the event log is kept, and up to a tenth longer',
    default: 90 * 86_400_000,
    max: 36_500 * 86_400_000,
  }),
  closeDelayMs: setting.durationMs('CLOSE_DELAY', {
    about:
      'How long requests are still served after the process was asked to stop, while `/readyz` fails; longer than the interval at which a load balancer asks it',
    default: 0,
    max: 300_000,
  }),
  closeGraceMs: setting.durationMs('CLOSE_GRACE', {
    about: 'How long running requests and work may take to end when the process is asked to stop',
    default: 10_000,
  }),
})

function readProcesses(text: string): number {
  if (text === 'auto') return Math.min(maxProcesses, availableParallelism())
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > maxProcesses)
    throw new Error(`must be auto or a whole number from 1 to ${maxProcesses}, not "${text}"`)
  return count
}

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
  objects: objectsSettings,
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

export type Settings = { readonly [Part in keyof Parts]: SettingsOf<Parts[Part]> } & {
  /** The texts of the variables that administrators could change and the environment sets: the environment wins. */
  readonly fixedByEnvironment: ReadonlyMap<string, string>
}

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
  return Object.freeze({ ...Object.fromEntries(read), fixedByEnvironment: fixedBy(environment) }) as Settings
}

function fixedBy(environment: Environment): ReadonlyMap<string, string> {
  const groups: readonly SettingsGroup[] = Object.values(settingsByPart)
  const editable = groups.flatMap((group) => Object.values(group)).filter((it) => it.editable !== undefined)
  return new Map(
    editable.flatMap(({ variable }) => {
      const text = environment[variable]
      return text === undefined ? [] : [[variable, text] as const]
    }),
  )
}
