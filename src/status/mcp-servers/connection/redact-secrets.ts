import type { Secrets } from '../server.ts'

/** Removes the secrets of a server from a text: the server may repeat them. */
export type Redact = (text: string) => string

/** Shorter values match unrelated text. */
const minSecretLength = 4

/** Must run before a text is clipped: a partial secret would not match. */
export function redactSecrets(secrets: Secrets): Redact {
  const values = Object.values(secrets)
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic) /i, '')])
    .filter((value) => value.length >= minSecretLength)
    // Longest first: a secret that is part of another one would leave the rest of it.
    .toSorted((a, b) => b.length - a.length)
  return (text) => values.reduce((shown, value) => shown.replaceAll(value, '•••'), text)
}
