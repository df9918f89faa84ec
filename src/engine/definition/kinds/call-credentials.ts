import { isSecretName, redacted, redactText } from '#kernel/telemetry'

/** A literal credential in an HTTP call: the value of a header such as `Authorization`, or of a query parameter such as `api_key`. */
export interface FoundCredential {
  readonly place: 'header' | 'parameter'
  readonly name: string
  readonly value: string
  /** The field that has it. */
  readonly path: string
  /** The origin it is sent to; empty when the URL is invalid. */
  readonly origin: string
}

interface Call {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

const userInfo = /^(https?:\/\/)[^/?#]*@/i
const parameter = /([?&])([^=&#]+)=([^&#]*)/g

/** Replaces each credential of a call. */
export function mapCallCredentials<Given extends Call>(
  call: Given,
  replace: (found: FoundCredential) => string,
): Given {
  const origin = URL.canParse(call.url) ? new URL(call.url).origin : ''
  const url = call.url
    // Calls with a user name or password in the URL are never made, so none is stored.
    .replace(userInfo, `$1${redacted}@`)
    .replaceAll(parameter, (whole, sign: string, name: string, value: string) =>
      isSecretParameter(name) && isLiteral(value)
        ? `${sign}${name}=${replace({ place: 'parameter', name, value, path: 'url', origin })}`
        : whole,
    )
  if (call.headers === undefined) return { ...call, url }
  const headers = Object.entries(call.headers).map(([name, value]) => [
    name,
    isLiteral(value) && (isSecretHeader(name) || value === redacted || redactText(value) !== value)
      ? replace({ place: 'header', name, value, path: `headers.${name}`, origin })
      : value,
  ])
  return { ...call, url, headers: Object.fromEntries(headers) as Record<string, string> }
}

/** Redacts a URL: its user name and password, and parameters with credentials. */
export function redactAddress(url: string): string {
  return mapCallCredentials({ url }, () => redacted).url
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
  return /[a-z0-9]/i.test(value.replaceAll(placeholder, '').replaceAll(mark, '').replace(scheme, ''))
}
