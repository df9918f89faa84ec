import { isIPv6 } from 'node:net'
import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'
import { anthropicSettings } from './providers/anthropic/settings.ts'
import { geminiSettings } from './providers/gemini/settings.ts'
import { ollamaSettings } from './providers/ollama/settings.ts'
import { openAiSettings } from './providers/openai/settings.ts'
import { providerListSettings } from './providers/provider-list.ts'

const maxOrigins = 100

/** Settings of the gateway routes. */
const gatewayRouteSettings = defineSettings({
  bodyLimitBytes: setting.integer('MODEL_BODY_LIMIT', {
    about: 'Maximum size of the body of a model call in bytes',
    default: 33_554_432,
    min: 1024,
    max: 268_435_456,
  }),
  accountBodyBytes: setting.integer('MODEL_ACCOUNT_BODY_MEMORY', {
    about:
      'Maximum size of the bodies of all running model calls of an account in this process, in bytes; not less than MODEL_BODY_LIMIT',
    default: 67_108_864,
    min: 1024,
  }),
  totalBodyBytes: setting.integer('MODEL_BODY_MEMORY', {
    about:
      'Maximum size of the bodies of all running model calls of this process, in bytes; not less than MODEL_ACCOUNT_BODY_MEMORY',
    default: 268_435_456,
    min: 1024,
  }),
  maxIdleMs: setting.durationMs('MODEL_READER_TIMEOUT', {
    about: 'How long a caller of a stream may read nothing before the connection is closed',
    default: 120_000,
    min: 1,
  }),
  corsOrigins: refineSetting(
    setting.list('MODEL_CORS_ORIGINS', {
      about:
        'Origins of web pages that may call the gateway (/v1, /ollama, /api/v1/chat, generate and embed) with an API key, comma-separated, such as https://app.example.com, or * for all; none by default',
      default: [],
    }),
    readOrigins,
  ),
})

/** Origins as browsers send them, in lower case. */
function readOrigins(origins: readonly string[]): readonly string[] {
  if (origins.length > maxOrigins) throw new Error(`must have at most ${maxOrigins} origins`)
  const wrong = origins.find(
    (origin) => origin !== '*' && !/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/i.test(origin),
  )
  if (wrong !== undefined) {
    throw new Error(`must be origins such as https://app.example.com, without a path, or *, not "${wrong}"`)
  }
  return origins.map((origin) => origin.toLowerCase())
}

/** Timeouts of responses of all providers. */
const timeoutSettings = defineSettings({
  firstPartMs: setting.durationMs('MODEL_FIRST_PART_TIMEOUT', {
    about: 'Timeout for the first part of a response; loading a large model or reasoning can take minutes',
    default: 600_000,
    min: 1,
  }),
  stallMs: setting.durationMs('MODEL_STALL_TIMEOUT', {
    about: 'Timeout between two chunks of a response',
    default: 120_000,
    min: 1,
  }),
})

/** API keys from the environment, which take precedence over stored keys. */
export const providerKeySettings = {
  openaiApiKey: keySetting('OPENAI_API_KEY', 'OPENAI_BASE_URL'),
  anthropicApiKey: keySetting('ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'),
  geminiApiKey: keySetting('GEMINI_API_KEY', 'GEMINI_BASE_URL'),
}

function keySetting(variable: string, addressVariable: string) {
  return refineSetting(
    setting.secretText(variable, {
      about: `API key for ${addressVariable}; if unset, the key stored with PUT /api/v1/providers/{name}/key`,
      optional: true,
    }),
    checkKey,
  )
}

/** The key is sent as a header, so it must be printable ASCII. */
function checkKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[\x21-\x7e]{1,512}$/.test(key)) return key
  throw new Error('must be printable ASCII characters without spaces')
}

/** The price lists of cloud providers. */
export const priceSettings = {
  openaiPriceList: priceListSetting('OPENAI_PRICE_LIST', 'OPENAI_BASE_URL'),
  anthropicPriceList: priceListSetting('ANTHROPIC_PRICE_LIST', 'ANTHROPIC_BASE_URL'),
  geminiPriceList: priceListSetting('GEMINI_PRICE_LIST', 'GEMINI_BASE_URL'),
}

function priceListSetting(variable: string, addressVariable: string) {
  return refineSetting(
    setting.text(variable, {
      about: `Price list for ${addressVariable}, such as openai, anthropic, groq or openrouter, or none; chosen by the address if unset`,
      optional: true,
    }),
    checkName,
  )
}

function checkName(name: string | undefined): string | undefined {
  if (name === undefined || /^[a-z0-9_-]{1,64}$/.test(name)) return name
  throw new Error(`must be a name of lower-case letters, digits, - and _, not "${name}"`)
}

const day = 86_400_000

/** Settings of the gateway: default models, response cache, retention of calls. */
const gatewaySettings = defineSettings({
  defaultModel: setting.text('TUTTI_DEFAULT_MODEL', {
    editable: { section: 'models', label: 'Default model' },
    about:
      'Model or route that `auto` stands for; if unset, the first available model of the default chain, which starts with the cluster',
    optional: true,
  }),
  openaiDefaultModel: setting.text('OPENAI_DEFAULT_MODEL', {
    about: 'OpenAI model that `auto` and fallbacks may use; none if unset',
    optional: true,
  }),
  anthropicDefaultModel: setting.text('ANTHROPIC_DEFAULT_MODEL', {
    about: 'Anthropic model that `auto` and fallbacks may use; none if unset',
    optional: true,
  }),
  geminiDefaultModel: setting.text('GEMINI_DEFAULT_MODEL', {
    about: 'Gemini model that `auto` and fallbacks may use; none if unset',
    optional: true,
  }),
  cacheBytes: setting.integer('MODEL_CACHE_SIZE', {
    about: 'Size of the response cache for deterministic calls in bytes; 0 turns it off',
    default: 64 * 1024 * 1024,
  }),
  cacheTtlMs: setting.durationMs('MODEL_CACHE_TTL', {
    about: 'Time to live of a cached response',
    default: 3_600_000,
  }),
  budgetWaitMs: setting.durationMs('MODEL_BUDGET_WAIT', {
    about:
      'How long a call waits for money that is reserved for running calls before it is refused; 0 refuses it at once',
    default: 5000,
    max: 600_000,
  }),
  limitWaitMs: setting.durationMs('MODEL_LIMIT_WAIT', {
    about:
      'How long a call waits for other calls to end when a model or provider has reached its limit of concurrent calls; 0 refuses it at once',
    default: 10_000,
    max: 600_000,
  }),
  retries: setting.integer('MODEL_RETRIES', {
    about:
      'How often a provider that is rate limited or unavailable is called again before the next candidate; a route may set its own number',
    default: 0,
    max: 3,
  }),
  defaultOutputTokens: setting.integer('MODEL_DEFAULT_OUTPUT_TOKENS', {
    about:
      'Output limit of a call to a priced model when neither the caller nor the provider has one; lowered by halves to 1024 when a budget has not enough left',
    default: 16_384,
    min: 1,
    max: 10_000_000,
  }),
  callRetentionMs: setting.durationMs('MODEL_CALL_RETENTION', {
    editable: { section: 'retention', label: 'Model calls' },
    about:
      'How long records of single model calls are kept, and up to a tenth longer; daily totals are kept for good',
    default: 90 * day,
    max: 36_500 * day,
  }),
  responseRetentionMs: setting.durationMs('MODEL_RESPONSE_RETENTION', {
    about: 'How long responses of /v1/responses are stored for later requests; 0 stores none',
    default: 30 * day,
    max: 36_500 * day,
  }),
  recording: setting.choice('MODEL_RECORDING', ['off', 'on-request', 'on'], {
    editable: { section: 'models', label: 'Record prompts and answers' },
    about:
      'Whether prompts and answers are recorded: off, on-request (calls with the header X-Record: on), or on (all calls but those with X-Record: off)',
    default: 'off',
  }),
  recordingRetentionMs: setting.durationMs('MODEL_RECORDING_RETENTION', {
    editable: { section: 'retention', label: 'Recorded prompts and answers' },
    about: 'How long recorded prompts and answers are kept',
    default: 7 * day,
    max: 36_500 * day,
  }),
})

/** The port of the cluster service in Kubernetes, where it is addressed by its service name. */
const portInKubernetes = 3001

/** Settings of providers and the gateway, and the address of a cluster service in another process. */
export const modelsSettings = defineSettings({
  ...ollamaSettings,
  openaiBaseUrl: openAiSettings.baseUrl,
  openaiModels: openAiSettings.models,
  anthropicBaseUrl: anthropicSettings.baseUrl,
  anthropicModels: anthropicSettings.models,
  geminiBaseUrl: geminiSettings.baseUrl,
  geminiModels: geminiSettings.models,
  ...providerListSettings,
  ...providerKeySettings,
  ...priceSettings,
  ...gatewaySettings,
  ...timeoutSettings,
  ...gatewayRouteSettings,
  kubernetesHost: setting.text('KUBERNETES_SERVICE_HOST', {
    about:
      'Set by Kubernetes; the cluster service is then addressed by RUNTIME_CLUSTER_SERVICE and RELEASE_NAMESPACE',
    optional: true,
  }),
  clusterService: refineSetting(
    setting.text('RUNTIME_CLUSTER_SERVICE', {
      about: `Name of the cluster service inside Kubernetes, where it listens on port ${portInKubernetes}`,
      default: 'tutti-cluster',
    }),
    checkLabel,
  ),
  namespace: refineSetting(
    setting.text('RELEASE_NAMESPACE', {
      about: 'Kubernetes namespace of the cluster service',
      default: 'default',
    }),
    checkLabel,
  ),
  clusterHost: refineSetting(
    setting.text('RUNTIME_CLUSTER_HOST', {
      about: 'Host of the cluster service, for a process that does not run it itself',
      default: 'localhost',
    }),
    checkHost,
  ),
  clusterPort: setting.integer('RUNTIME_CLUSTER_PORT', {
    about: 'Port of the cluster service, for a process that does not run it itself',
    default: 3001,
    min: 1,
    max: 65_535,
  }),
})

export type ModelsSettings = SettingsOf<typeof modelsSettings>

/** The address of the cluster service, inside or outside Kubernetes. */
export function clusterUrlOf(
  settings: Pick<
    ModelsSettings,
    'kubernetesHost' | 'clusterService' | 'namespace' | 'clusterHost' | 'clusterPort'
  >,
): string {
  const { kubernetesHost, clusterService, namespace, clusterHost, clusterPort } = settings
  return kubernetesHost === undefined
    ? `http://${clusterHost}:${clusterPort}`
    : `http://${clusterService}.${namespace}.svc.cluster.local:${portInKubernetes}`
}

function checkLabel(name: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return name
  throw new Error(`must be a name of lower-case letters, digits and hyphens, not "${name}"`)
}

function checkHost(given: string): string {
  const bare = given.replace(/^\[(.*)\]$/, '$1')
  if (isIPv6(bare)) return `[${bare}]`
  if (/^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_.])?$/i.test(given)) return given
  throw new Error(`must be a host name or an address, without http:// and port, not "${given}"`)
}
