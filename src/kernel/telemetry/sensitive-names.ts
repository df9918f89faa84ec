import { redactLongText } from './redact-text.ts'

/** Whether a value is logged (`plain`), redacted (`secret`), or redacted unless it looks like a status code (`code`). */
type Sensitivity = 'plain' | 'secret' | 'code'

export interface NameSensitivity {
  readonly sensitivity: Sensitivity
  /** The redacted name: addresses and keys are used as names too. */
  readonly shown: string
}

const secretNames = new Set([
  'auth',
  'csrf',
  'clientassertion',
  'codeverifier',
  'jwt',
  'key',
  'otp',
  'pass',
  'pin',
  'pwd',
  'sess',
  'sessionid',
  'sid',
  'totp',
])

const secretParts = /password|passwd|passphrase|secret/
const secretEndings =
  /(?:token|(?:api|access|private|signing|encryption|session)keys?|authorization|cookies?|credentials?)$/

// Names come from requests, so their cache must be bounded.
const maxCachedNames = 2000
const maxNameLength = 128

/** Classifies field and header names in any spelling: `refreshToken`, `refresh_token` and `Refresh-Token` are the same. */
export function createNameClassifier(): (name: string) => NameSensitivity {
  const cache = new Map<string, NameSensitivity>()
  return (name) => {
    const known = cache.get(name)
    if (known !== undefined) return known
    const classified = { sensitivity: classifyName(name), shown: redactLongText(name, maxNameLength) }
    if (cache.size < maxCachedNames && name.length <= maxNameLength) cache.set(name, classified)
    return classified
  }
}

/** Whether a field, header or parameter with this name contains a credential. */
export function isSecretName(name: string): boolean {
  return classifyName(name) === 'secret'
}

function classifyName(name: string): Sensitivity {
  const plainName = name
    .slice(-maxNameLength)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  if (plainName === 'code') return 'code'
  const secret = secretNames.has(plainName) || secretParts.test(plainName) || secretEndings.test(plainName)
  return secret ? 'secret' : 'plain'
}

// ECONNREFUSED, UND_ERR_SOCKET, invalid_token, 23505, 57P01. Random codes do not match.
const statusCode = /^(?:E[A-Z0-9]{2,16}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[_-][a-z]+)*|[0-9A-Z]{5})$/

/** True for values of `code` that are status codes, not secrets. */
export function isStatusCode(value: string): boolean {
  return value.length <= 40 && statusCode.test(value)
}
