/** Replaces a secret. */
export const redacted = '[redacted]'

// Every rule below only matches a text that contains one of these. Most log texts contain none and need a single test.
const suspicious =
  /:\/\/|bearer|basic|eyJ|(?:tk|sk|gh[a-z]|pat|whsec)[_-]|xox|passw|pwd|passphrase|secret|token|key|code|cookie|authorization|sess|[?&](?:sig|auth|pass|sid)/i

// `postgres://user:pa/ss@host` is not a valid URL, yet people write it; a port followed by a path is not a password.
const addressPassword = /(:\/\/[^\s:/@]{0,256}):(?!\d{1,5}[/?#])[^\s]{0,2048}@/g
const addressToken = /(:\/\/)[^\s:/@?#]{16,2048}@/g

const bearer = /\b(bearer)(\s+|%20|\+)[^\s"',;\\]+/gi
// "basic" is also an ordinary word, so the next word must look like base64: not only lower-case letters.
const basic = /\b(basic)(\s+|%20|\+)(?![a-z]+\b)[A-Za-z0-9+/_-]{4,}={0,2}/gi

const knownKeys =
  /(?<![A-Za-z0-9])(tk_|sk[-_]|whsec_|gh[opsur]_|github_pat_|xox[abeoprs]-)(?!\[redacted\])[A-Za-z0-9_+/=-]{4,}/g
const jsonWebToken = /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g

const cookieHeader = /\b((?:set-)?cookie["']?\s*[:=]\s*)(?!\[redacted\])[^\r\n]+/gi

// The start of the name does not matter: `refresh_token=` ends in `token=`. Its end does: `tokens=` is a count.
const secretName = String.raw`(?:(?:passw(?:or)?d|passphrase|secret)[\w-]{0,32}|pwd|token|(?:api|access|private)[_-]?key|code_?verifier|authorization|\bsess)`
const namedValue = new RegExp(
  // A quoted value ends with its quote; an unquoted one where the next field could begin.
  String.raw`(${secretName})(\\?["']?\s*[=:]\s*|%3D)(\\"(?:(?!\\").)*|"(?:[^"\\]|\\.)*|'(?:[^'\\]|\\.)*|(?!\[redacted\]|bearer\b|basic\b)[^\s"'&,;}\]\\<>)#]+)`,
  'gi',
)
const queryValue = /([?&](?:code|key|sig|signature|auth|pass|sid)=)[^\s&#"'\\<>]+/gi

/** Replaces every secret that is recognisable by its format: passwords in URLs, keys, tokens, `?token=` and others. */
export function redactText(text: string): string {
  if (text.length < 6 || !suspicious.test(text)) return text
  return text
    .replaceAll(addressPassword, `$1:${redacted}@`)
    .replaceAll(addressToken, `$1${redacted}@`)
    .replaceAll(bearer, `$1 ${redacted}`)
    .replaceAll(basic, `$1 ${redacted}`)
    .replaceAll(jsonWebToken, redacted)
    .replaceAll(knownKeys, `$1${redacted}`)
    .replaceAll(cookieHeader, `$1${redacted}`)
    .replaceAll(namedValue, redactNamedValue)
    .replaceAll(queryValue, `$1${redacted}`)
}

function redactNamedValue(_match: string, name: string, separator: string, value: string): string {
  const quote = /^\\?["']/.exec(value)?.[0] ?? ''
  return `${name}${separator}${quote}${redacted}`
}

// A secret that is cut in two would no longer be recognised, so more text than the result is redacted.
const overlap = 4096

/** Redacts a text of any length and keeps at most about `maxLength` characters of it. */
export function redactLongText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return redactText(text)
  const safe = redactText(text.slice(0, maxLength + overlap))
  const kept = safe.slice(0, Math.max(0, safe.length - overlap))
  return `${kept}… (cut from ${text.length} characters)`
}
