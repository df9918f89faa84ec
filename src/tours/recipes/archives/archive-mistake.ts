/** Why an archive is not opened, in a sentence for who sent it. */
export class ArchiveMistake extends Error {
  override readonly name = 'ArchiveMistake'
}

/** A name of an archive as it can be shown: on one line, and not endless. */
export function shown(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?')
  return `"${plain.length > 80 ? `${plain.slice(0, 77)}…` : plain}"`
}
