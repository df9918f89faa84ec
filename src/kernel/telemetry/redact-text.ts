/** What stands where a secret was. */
export const redacted = '[redacted]'

// Every rule below can only match a text that has one of these; most log texts have none and are done after one look.
const suspicious =
  /:\/\/|bearer|basic|eyJ|(?:tk|sk|gh[a-z]|pat|whsec)[_-]|xox|passw|pwd|passphrase|secret|token|key|code|cookie|authorization|sess|[?&](?:sig|auth|pass|sid)/i

// `postgres://user:pa/ss@host` is no valid address, yet people write it; a port followed by a path is not a password.
const addressPassword = /(:\/\/[^\s:/@]{0,256}):(?!\d{1,5}[/?#])[^\s]{0,2048}@/g
const addressToken = /(:\/\/)[^\s:/@?#]{16,2048}@/g

const bearer = /\b(bearer)(\s+|%20|\+)[^\s"',;\\]+/gi
// "basic" is also a word of prose, so what follows must look like base64: not all small letters.
const basic = /\b(basic)(\s+|%20|\+)(?![a-z]+\b)[A-Za-z0-9+/_-]{4,}={0,2}/gi

const knownKeys =
  /(?<![A-Za-z0-9])(tk_|sk[-_]|whsec_|gh[opsur]_|github_pat_|xox[abeoprs]-)(?!\[redacted\])[A-Za-z0-9_+/=-]{4,}/g
const jsonWebToken = /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g

const cookieHeader = /\b((?:set-)?cookie["']?\s*[:=]\s*)(?!\[redacted\])[^\r\n]+/gi

// What stands before the word does not matter: `refresh_token=` ends in `token=`. What stands after does: `tokens=` counts.
const secretName = String.raw`(?:(?:passw(?:or)?d|passphrase|secret)[\w-]{0,32}|pwd|token|(?:api|access|private)[_-]?key|code_?verifier|authorization|\bsess)`
const namedValue = new RegExp(
  // The value ends where its own quoting ends; an unquoted one ends where the next field would begin.
  String.raw`(${secretName})(\\?["']?\s*[=:]\s*|%3D)(\\"(?:(?!\\").)*|"(?:[^"\\]|\\.)*|'(?:[^'\\]|\\.)*|(?!\[redacted\]|bearer\b|basic\b)[^\s"'&,;}\]\\<>)#]+)`,
  'gi',
)
const queryValue = /([?&](?:code|key|sig|signature|auth|pass|sid)=)[^\s&#"'\\<>]+/gi

/** Hides every secret that can be told by its shape: passwords in addresses, keys, tokens, `?token=` and the like. */
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
    .replaceAll(namedValue, hideNamedValue)
    .replaceAll(queryValue, `$1${redacted}`)
}

function hideNamedValue(_match: string, name: string, separator: string, value: string): string {
  const quote = /^\\?["']/.exec(value)?.[0] ?? ''
  return `${name}${separator}${quote}${redacted}`
}

// A secret that lies across the cut would no longer have its shape, so the cut is made well after the look.
const slack = 4096

/** Redacts a text of any length and keeps at most about `longest` characters of it. */
export function redactLongText(text: string, longest: number): string {
  if (text.length <= longest) return redactText(text)
  const seen = redactText(text.slice(0, longest + slack))
  const kept = seen.slice(0, Math.max(0, seen.length - slack))
  return `${kept}… (cut from ${text.length} characters)`
}
