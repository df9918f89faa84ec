import type { FileClass } from '../classify/file-class.ts'

/** One changed file, staged or in the working tree. Paths are relative to the project's root. */
export interface Change {
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly path: string
  readonly package: string
  readonly class: FileClass
  /** Lines added and removed; none for a pure rename or a change of mode. */
  readonly lines: number
  /** The added lines of a test file that disable a test. */
  readonly skips: readonly string[]
}
