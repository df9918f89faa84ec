/** The file that the switcher of every page reads. */
export interface VersionList {
  /** The newest version that is no pre-release, if there is one. */
  readonly latest: string
  /** Newest first. */
  readonly versions: readonly string[]
}
