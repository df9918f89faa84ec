const maxLength = 300

/**
 * The message of a provider, safe to show to callers: one short line without control characters and without the API key,
 * which some providers repeat when they reject it.
 */
export function toSafeMessage(providerMessage: string, key?: string): string {
  const shown =
    key === undefined || key.length < 4 ? providerMessage : providerMessage.replaceAll(key, '[key]')
  const line = shown
    .replaceAll(/\b(sk|tk)[-_][\w*-]{4,}/g, '[key]')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}
