import type { Secrets } from '../server.ts'

/** Takes out of a text what a server was told in confidence: it may say it again. */
export type Hide = (text: string) => string

/** Shorter ones are found in texts that have nothing to do with them. */
const shortest = 4

/** To be used before a text is cut: half of a secret would not be found. */
export function hideSecrets(secrets: Secrets): Hide {
  const values = Object.values(secrets)
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic) /i, '')])
    .filter((value) => value.length >= shortest)
    // One that is a piece of another would leave the rest of it.
    .toSorted((a, b) => b.length - a.length)
  return (text) => values.reduce((shown, value) => shown.replaceAll(value, '•••'), text)
}
