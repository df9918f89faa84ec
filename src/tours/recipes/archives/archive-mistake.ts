/** The reason why an archive is refused, as a sentence for its sender. */
export class ArchiveMistake extends Error {
  override readonly name = 'ArchiveMistake'
}

/** Quotes a name from an archive for a message: on one line and shortened. */
export function quoteName(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?')
  return `"${plain.length > 80 ? `${plain.slice(0, 77)}…` : plain}"`
}
