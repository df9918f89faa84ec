import type { paths } from '../../api/schema.generated.ts'
import type { Provider } from './provider-queries.ts'

export type NewProviderBody = NonNullable<
  paths['/api/v1/providers']['post']['requestBody']
>['content']['application/json']
export type ProviderChange = NonNullable<
  paths['/api/v1/providers/{name}']['patch']['requestBody']
>['content']['application/json']
export type StoredKind = NewProviderBody['kind']

/** The fields of the form, as text. */
export interface ProviderDraft {
  readonly name: string
  readonly kind: StoredKind
  readonly baseUrl: string
  readonly apiKey: string
  /** One `Name: value` per line. */
  readonly headers: string
  /** Separated by commas or line breaks. */
  readonly modelIds: string
  readonly defaultModel: string
  readonly priceList: string
  readonly enabled: boolean
}

export const emptyDraft: ProviderDraft = {
  name: '',
  kind: 'openai',
  baseUrl: '',
  apiKey: '',
  headers: '',
  modelIds: '',
  defaultModel: '',
  priceList: '',
  enabled: true,
}

/** Known services. A preset fills the protocol and the base URL. */
export const presets: readonly {
  readonly label: string
  readonly kind: StoredKind
  readonly baseUrl: string
}[] = [
  { label: 'OpenAI-compatible', kind: 'openai', baseUrl: '' },
  { label: 'vLLM', kind: 'openai', baseUrl: 'http://localhost:8000/v1' },
  { label: 'Groq', kind: 'openai', baseUrl: 'https://api.groq.com/openai/v1' },
  { label: 'OpenRouter', kind: 'openai', baseUrl: 'https://openrouter.ai/api/v1' },
  { label: 'Azure OpenAI (v1)', kind: 'openai', baseUrl: 'https://RESOURCE.openai.azure.com/openai/v1' },
  { label: 'Anthropic', kind: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' },
  { label: 'Gemini', kind: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta' },
]

export function draftOf(provider: Provider): ProviderDraft {
  const { name, kind, base_url, model_ids, default_model, price_list, enabled } = provider
  return {
    ...emptyDraft,
    name,
    kind: kind === 'anthropic' || kind === 'gemini' ? kind : 'openai',
    baseUrl: base_url ?? '',
    modelIds: (model_ids ?? []).join(', '),
    defaultModel: default_model ?? '',
    priceList: price_list ?? '',
    enabled,
  }
}

/** The settings that a test sends. */
export function testBodyOf(draft: ProviderDraft) {
  const { kind, baseUrl, apiKey, headers, modelIds } = draft
  return {
    kind,
    base_url: baseUrl.trim(),
    ...(apiKey.trim() === '' ? {} : { api_key: apiKey.trim() }),
    headers: headersOf(headers),
    model_ids: listOf(modelIds),
  }
}

export function bodyOfDraft(draft: ProviderDraft): NewProviderBody {
  const { default_model, ...settings } = settingsOf(draft)
  // Without the field the platform chooses a default model where one is missing; null would leave the provider without one.
  return {
    name: draft.name.trim(),
    ...settings,
    ...(default_model === null ? {} : { default_model }),
  }
}

function settingsOf(draft: ProviderDraft) {
  return {
    ...testBodyOf(draft),
    default_model: textOrNull(draft.defaultModel),
    price_list: textOrNull(draft.priceList),
    enabled: draft.enabled,
  }
}

/** The stored headers and the stored key are not known here: an empty field leaves them unchanged. */
export function changeOfDraft(draft: ProviderDraft): ProviderChange {
  const { headers, ...body } = settingsOf(draft)
  return headers === null ? body : { ...body, headers: headers ?? null }
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}

function listOf(text: string): string[] | null {
  const items = text
    .split(/[\n,]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
  return items.length === 0 ? null : [...new Set(items)]
}

function headersOf(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return null
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return colon === -1 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
}
