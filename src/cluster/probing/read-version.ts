/** Reads the answer of `/api/version`; null when it is something else. */
export function readVersion(text: string): string | null {
  try {
    const answer: unknown = JSON.parse(text)
    const version =
      typeof answer === 'object' && answer !== null && 'version' in answer ? answer.version : null
    return typeof version === 'string' && /^[\w.+-]{1,64}$/.test(version) ? version : null
  } catch {
    return null
  }
}
