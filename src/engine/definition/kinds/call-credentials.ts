import { isSecretName, redacted, redactText } from '#kernel/telemetry'

/**
 * A literal credential in an HTTP call: the value of a header such as `Authorization`, of a query parameter such as `api_key`, or of a field
 * of the body such as `client_secret`.
 */
export interface FoundCredential {
  readonly place: 'header' | 'parameter' | 'field'
  /** Of a field inside a JSON body its path, such as `login.password`. */
  readonly name: string
  /** A number only in a JSON body. */
  readonly value: string | number
  /** The field that has it. */
  readonly path: string
  /** The origin it is sent to; empty when the URL is invalid. */
  readonly origin: string
}

interface Call {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type Replace = (found: FoundCredential) => FoundCredential['value']

const userInfo = /^(https?:\/\/)[^/?#]*@/i
const parameter = /([?&])([^=&#]+)=([^&#]*)/g

/** Replaces each credential of a call. */
export function mapCallCredentials<Given extends Call>(call: Given, replace: Replace): Given {
  const origin = URL.canParse(call.url) ? new URL(call.url).origin : ''
  const url = call.url
    // Calls with a user name or password in the URL are never made, so none is stored.
    .replace(userInfo, `$1${redacted}@`)
    .replaceAll(parameter, (whole, sign: string, name: string, value: string) =>
      isSecretParameter(name) && isLiteral(value)
        ? `${sign}${name}=${replace({ place: 'parameter', name, value, path: 'url', origin })}`
        : whole,
    )
  const inField = (found: Pick<FoundCredential, 'name' | 'value' | 'path'>) =>
    replace({ place: 'field', origin, ...found })
  return {
    ...call,
    url,
    ...(call.headers !== undefined && { headers: mapHeaders(call.headers, origin, replace) }),
    ...(call.body !== undefined && { body: mapBody(call.body, inField) }),
  }
}

/** The body of a request with each credential redacted. */
export function redactBody(body: unknown): unknown {
  return mapBody(body, () => redacted)
}

function mapHeaders(
  headers: Readonly<Record<string, string>>,
  origin: string,
  replace: Replace,
): Record<string, string> {
  const mapped = Object.entries(headers).map(([name, value]) => [
    name,
    isLiteral(value) && (isSecretHeader(name) || value === redacted || redactText(value) !== value)
      ? String(replace({ place: 'header', name, value, path: `headers.${name}`, origin }))
      : value,
  ])
  return Object.fromEntries(mapped) as Record<string, string>
}

/** Redacts a URL: its user name and password, and parameters with credentials. */
export function redactAddress(url: string): string {
  return mapCallCredentials({ url }, () => redacted).url
}

type ReplaceField = (found: Pick<FoundCredential, 'name' | 'value' | 'path'>) => FoundCredential['value']

/** Replaces credentials in the fields of a JSON value, or of a text that has JSON or a form. */
function mapBody(body: unknown, replace: ReplaceField): unknown {
  return typeof body === 'string' ? mapText(body, replace) : mapFields(body, [], replace)
}

/** `at` are the names and indexes that lead to the value. */
function mapFields(value: unknown, at: readonly (string | number)[], replace: ReplaceField): unknown {
  if (Array.isArray(value)) return value.map((inner, index) => mapFields(inner, [...at, index], replace))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, mapFields(inner, [...at, name], replace)]),
    )
  }
  // Of a list of texts, the name is that of the list.
  const name = at.findLast((part) => typeof part === 'string')
  if (name === undefined || !isSecretField(name, value)) return value
  const path = at.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return replace({ name: path.replace(/^\./, ''), value, path: `body${path}` })
}

/** A member of JSON whose value is a text. Placeholders outside of texts make it no valid JSON, so it is not parsed. */
const jsonMember = /"([^"\\]{1,200})"(\s{0,20}:\s{0,20})"((?:[^"\\]|\\.)*)"/gs
const formField = /(^|[&\n])([^=&\s]{1,200})=([^&\n]*)/g

function mapText(text: string, replace: ReplaceField): string {
  if (/^\s*(?:\[|\{(?!\{))/.test(text)) {
    return text.replaceAll(jsonMember, (whole, name: string, colon: string, value: string) =>
      isSecretField(name, value) ? `"${name}"${colon}"${replace({ name, value, path: 'body' })}"` : whole,
    )
  }
  return text.replaceAll(formField, (whole, sign: string, name: string, value: string) =>
    isSecretField(name, value) ? `${sign}${name}=${replace({ name, value, path: 'body' })}` : whole,
  )
}

/** Names of numbers and identifiers, too: `max_token`, and the `key` of a project or of an entry. */
const ambiguousName = /(?:token|^key)$/i
const generated = /^(?=.*[a-z])(?=.*\d)[\w.:+/=-]{16,}$/i

/** Whether the value of a field in a body is a literal credential. */
function isSecretField(name: string, value: unknown): value is string | number {
  if (typeof value === 'number') return isSecretName(name) && !ambiguousName.test(name)
  if (typeof value !== 'string' || !isLiteral(value) || !isSecretName(name)) return false
  return !/^key$/i.test(name) || value === redacted || generated.test(value)
}

function isSecretHeader(name: string): boolean {
  if (/^idempotency-key$/i.test(name)) return false
  return isSecretName(name) || /(?:^|[-_])(?:key|token|secret|auth|signature|session)$/i.test(name)
}

function isSecretParameter(name: string): boolean {
  return isSecretName(name) || /^(?:sig|signature)$/i.test(name)
}

const placeholder = /\{\{[^{}]*\}\}/g
/** How the trace shows a secret. */
const mark = /\[secret [a-z0-9_]+\]/g
const scheme = /^\s*(?:bearer|basic|digest|token|apikey)\b/i

/** Whether a value has a literal part besides placeholders and the name of its scheme. */
function isLiteral(value: string): boolean {
  return /[\p{L}\p{N}]/u.test(value.replaceAll(placeholder, '').replaceAll(mark, '').replace(scheme, ''))
}
