import { ReleaseError } from './release-error.ts'

export interface ReleasedChangelog {
  /** The changelog in which the entries belong to the version. */
  readonly text: string
  /** The entries of the version, without its heading. */
  readonly notes: string
}

/**
 * Gives the entries below "Unreleased" to a version. A changelog that has a section for the version stays as it is. Throws a
 * ReleaseError when there is no entry.
 */
export function releaseChangelog(
  text: string,
  { version, date }: { readonly version: string; readonly date: string },
): ReleasedChangelog {
  const present = sectionOf(text, `${version} - `)
  if (present !== undefined) return { text, notes: present }
  const notes = sectionOf(text, 'Unreleased')
  if (notes === undefined || !notes.includes('\n- '))
    throw new ReleaseError(
      `CHANGELOG.md has no entry for ${version}: add lines below "## Unreleased", or a section "## ${version} - ${date}"`,
    )
  const heading = '## Unreleased'
  return { text: text.replace(heading, `${heading}\n\n## ${version} - ${date}`), notes }
}

/** The lines below a heading whose text starts so, up to the next one; undefined without that heading. */
function sectionOf(text: string, start: string): string | undefined {
  const section = text.split(/^## /m).find((part) => part.startsWith(start))
  return section === undefined ? undefined : `\n${section.slice(section.indexOf('\n') + 1).trim()}\n`
}
