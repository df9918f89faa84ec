import { redactLongText } from './redact-text.ts'

/** What a field's name says about its value: keep it, hide it, or hide it unless it is plainly a status code. */
type Sensitivity = 'plain' | 'secret' | 'code'

export interface NameVerdict {
  readonly sensitivity: Sensitivity
  /** The name as it may be written: people use addresses and keys as names too. */
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

// Names come from whoever sends a request, so what is remembered about them has to end somewhere.
const rememberedNames = 2000
const longestName = 128

/** Judges field and header names in any spelling: `refreshToken`, `refresh_token` and `Refresh-Token` are the same. */
export function createNameJudge(): (name: string) => NameVerdict {
  const remembered = new Map<string, NameVerdict>()
  return (name) => {
    const known = remembered.get(name)
    if (known !== undefined) return known
    const verdict = { sensitivity: judgeName(name), shown: redactLongText(name, longestName) }
    if (remembered.size < rememberedNames && name.length <= longestName) remembered.set(name, verdict)
    return verdict
  }
}

/** Whether a field, header or parameter of this name holds a credential. */
export function isSecretName(name: string): boolean {
  return judgeName(name) === 'secret'
}

function judgeName(name: string): Sensitivity {
  const plainName = name
    .slice(-longestName)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  if (plainName === 'code') return 'code'
  const secret = secretNames.has(plainName) || secretParts.test(plainName) || secretEndings.test(plainName)
  return secret ? 'secret' : 'plain'
}

// ECONNREFUSED, UND_ERR_SOCKET, invalid_token, 23505, 57P01: words people wrote. Random codes do not look like them.
const statusCode = /^(?:E[A-Z0-9]{2,16}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[_-][a-z]+)*|[0-9A-Z]{5})$/

/** True for the values of `code` that are worth reading in a log. */
export function isStatusCode(value: string): boolean {
  return value.length <= 40 && statusCode.test(value)
}
