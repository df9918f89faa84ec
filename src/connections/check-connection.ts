import { kernelFailure, type Problem } from '#kernel/errors'
import type {
  Connection,
  ConnectionKind,
  ConnectionSettings,
  SecretFields,
  StoredKind,
} from './connection.ts'
import { checkHost, readHost } from './hosts.ts'

/** The fields of each kind. */
const fieldsOf: Readonly<
  Record<
    ConnectionKind,
    {
      readonly required: readonly (keyof ConnectionSettings)[]
      readonly optional: readonly (keyof ConnectionSettings)[]
      readonly credential: string
    }
  >
> = {
  bearer: { required: [], optional: [], credential: 'token' },
  basic: { required: ['username'], optional: [], credential: 'password' },
  api_key: { required: ['in', 'name'], optional: [], credential: 'key' },
  oauth2_client_credentials: {
    required: ['token_url', 'client_id'],
    optional: ['scopes', 'audience', 'client_authentication'],
    credential: 'client_secret',
  },
}

/** Shorter values would match unrelated text, so they could not be removed from the responses of other systems. */
const minSecretLength = 8
const maxSecretBytes = 16_384

/** What is wrong with a secret or connection without hosts, and how to fix it. */
export const hostsRequired = 'must name at least one host that may get the value, such as api.example.com'

/** A secret or connection as it is to be stored. */
export interface WantedConnection {
  readonly kind: StoredKind
  readonly settings: ConnectionSettings
  /** Undefined: the stored values are kept. */
  readonly fields: SecretFields | undefined
  readonly allowedHosts: readonly string[]
  readonly shared: boolean
}

/** Checks a secret or connection and normalises its hosts. Throws `invalid_input` with all problems. */
export function checkConnection(wanted: WantedConnection, stored: Connection | undefined): readonly string[] {
  const hosts = wanted.allowedHosts.map((host) => readHost(host))
  const allowedHosts = [...new Set(hosts.filter((host) => host !== undefined))]
  const problems = [
    ...hosts.flatMap((host, index) =>
      host === undefined
        ? [
            problem(
              `allowed_hosts[${index}]`,
              'is not a host such as api.example.com, *.example.com, api.example.com:8443 or, without encryption, http://api.internal:8080',
            ),
          ]
        : [],
    ),
    ...checkHosts(wanted, stored),
    ...(wanted.kind === 'secret' ? [] : checkSettings(wanted.kind, wanted.settings, allowedHosts)),
    ...checkFields(wanted),
  ]
  if (problems.length === 0) problems.push(...requireValuesFor({ ...wanted, allowedHosts }, stored))
  const [first] = problems
  if (first === undefined) return allowedHosts
  throw kernelFailure('invalid_input', { message: `${first.path} ${first.message}.`, problems })
}

function problem(path: string, message: string, code = 'invalid'): Problem {
  return { path, message, code }
}

/** A secret of an earlier release may stay without hosts while other fields of it change; then only flows of its owner can send it. */
function checkHosts({ shared, allowedHosts }: WantedConnection, stored: Connection | undefined): Problem[] {
  if (allowedHosts.length > 0 || (stored?.allowedHosts.length === 0 && !shared)) return []
  return [problem('allowed_hosts', hostsRequired, 'required')]
}

function checkSettings(
  kind: ConnectionKind,
  settings: ConnectionSettings,
  allowedHosts: readonly string[],
): Problem[] {
  const { required, optional } = fieldsOf[kind]
  const given = Object.keys(settings) as (keyof ConnectionSettings)[]
  return [
    ...required
      .filter((field) => settings[field] === undefined)
      .map((field) => problem(`settings.${field}`, `is required for ${kind}`, 'required')),
    ...given
      .filter((field) => ![...required, ...optional].includes(field))
      .map((field) => problem(`settings.${field}`, `has no effect on ${kind}`, 'no_effect')),
    ...checkTokenUrl(settings, allowedHosts),
    ...(settings.in === 'header' && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(settings.name ?? 'x')
      ? [problem('settings.name', 'is not the name of a header')]
      : []),
    ...(settings.username?.includes(':') === true
      ? [problem('settings.username', 'must not contain a colon')]
      : []),
  ]
}

function checkTokenUrl({ token_url: url }: ConnectionSettings, allowedHosts: readonly string[]): Problem[] {
  if (url === undefined) return []
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (
    parsed === undefined ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== '' ||
    parsed.password !== ''
  )
    return [problem('settings.token_url', 'must be a URL with https, without user name and password')]
  const refusal = refuseTokenUrl(url, allowedHosts)
  return refusal === undefined ? [] : [problem('settings.token_url', refusal)]
}

/** Why the client secret is not sent to a token endpoint; undefined: it is. */
export function refuseTokenUrl(url: string, allowedHosts: readonly string[]): string | undefined {
  const { protocol, origin } = new URL(url)
  if (protocol === 'https:' || checkHost(url, allowedHosts) === 'allowed') return undefined
  return `would get the client secret without encryption: use https or, in a network that you trust, add "${origin}" to allowed_hosts`
}

function checkFields({ kind, fields }: WantedConnection): Problem[] {
  if (fields === undefined) return []
  const name = kind === 'secret' ? 'value' : fieldsOf[kind].credential
  const place = kind === 'secret' ? '' : 'credentials.'
  return [
    ...Object.keys(fields)
      .filter((field) => field !== name)
      .map((field) => problem(`${place}${field}`, `has no effect on ${kind}`, 'no_effect')),
    ...checkValue(fields[name], `${place}${name}`),
  ]
}

function checkValue(value: string | undefined, path: string): Problem[] {
  if (value === undefined) return [problem(path, 'is required', 'required')]
  if (value.length < minSecretLength)
    return [
      problem(
        path,
        `must have ${minSecretLength} characters or more: shorter values cannot be removed from the responses of other systems`,
      ),
    ]
  if (Buffer.byteLength(value) > maxSecretBytes)
    return [problem(path, `must not be larger than ${maxSecretBytes} bytes`)]
  if (value !== value.trim()) return [problem(path, 'must not begin or end with white space')]
  return !value.isWellFormed() || /[^\P{Cc}\t\n\r]/u.test(value)
    ? [problem(path, 'must not contain control characters')]
    : []
}

/**
 * An account that changes where values are sent must know them: with a stolen API key, the values could otherwise be sent to a host of
 * the thief.
 */
function requireValuesFor(
  { kind, settings, fields, allowedHosts }: WantedConnection,
  stored: Connection | undefined,
): Problem[] {
  const path = kind === 'secret' ? 'value' : 'credentials'
  if (fields !== undefined) return []
  if (stored === undefined) return [problem(path, 'is required', 'required')]
  const before = new Set(stored.allowedHosts)
  // A host that was allowed without encryption may require it without the value.
  const isWider =
    before.size > 0 && allowedHosts.some((host) => !before.has(host) && !before.has(`http://${host}`))
  const isMoved = originOf(settings.token_url) !== originOf(stored.settings.token_url)
  return isWider || isMoved
    ? [problem(path, 'must be sent again when it may be sent to another host', 'required')]
    : []
}

function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).origin
}
