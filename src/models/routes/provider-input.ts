import ipaddr from 'ipaddr.js'
import { type Failure, kernelFailure } from '#kernel/errors'
import { readServerUrl } from '../providers/server-url.ts'
import type { StoredKind } from '../stored-providers/stored-provider.ts'
import type { ProviderChanges } from '../stored-providers/stored-providers.ts'

/** The settings of a provider in a request. Null removes a setting. */
export interface GivenSettings {
  readonly kind?: StoredKind
  readonly base_url?: string
  readonly api_key?: string
  readonly headers?: Readonly<Record<string, string>> | null
  readonly model_ids?: readonly string[] | null
  readonly default_model?: string | null
  readonly price_list?: string | null
  readonly enabled?: boolean
}

/** The changes of a request. Throws `invalid_input`. */
export function readProviderChanges(given: GivenSettings): ProviderChanges {
  const { kind, base_url, api_key, headers, model_ids, default_model, price_list, enabled } = given
  return {
    ...(kind !== undefined && { kind }),
    ...(base_url !== undefined && { baseUrl: readBaseUrl(base_url) }),
    ...(api_key !== undefined && { apiKey: api_key }),
    ...(headers !== undefined && { headers: readHeaders(headers ?? undefined) }),
    ...(model_ids !== undefined && { models: model_ids ?? undefined }),
    ...(default_model !== undefined && { defaultModel: default_model ?? undefined }),
    ...(price_list !== undefined && { priceList: price_list ?? undefined }),
    ...(enabled !== undefined && { enabled }),
  }
}

/**
 * Checks the base URL of a provider. Addresses of the local network are allowed, because model servers run there; link-local
 * ones are not, because only the metadata services of clouds are called by them. Throws `invalid_input`.
 */
export function readBaseUrl(given: string): string {
  try {
    const url = readServerUrl(given)
    if (isLinkLocal(url)) throw new Error('must not be a link-local address')
    return url
  } catch (error) {
    throw invalid('base_url', error instanceof Error ? error.message : 'is invalid')
  }
}

function isLinkLocal(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'linkLocal'
}

/** Headers that belong to the connection or to the content. */
const ownHeaders = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Checks request headers and writes their names in lower case. Throws `invalid_input`. */
export function readHeaders(
  given: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  if (given === undefined) return undefined
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(lower)) {
      throw invalid('headers', 'must have names of letters, digits and hyphens')
    }
    if (ownHeaders.has(lower)) throw invalid(`headers.${lower}`, 'is set by the platform')
    if (lower in headers) throw invalid(`headers.${lower}`, 'is given twice')
    // The value is not repeated in the message, because it may be a credential.
    if (!/^[\x20-\x7e]{1,4096}$/.test(value)) {
      throw invalid(`headers.${lower}`, 'must be 1 to 4096 printable ASCII characters')
    }
    headers[lower] = value.trim()
  }
  return headers
}

function invalid(path: string, message: string): Failure {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'value' }],
  })
}
