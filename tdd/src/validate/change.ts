import type { FileClass } from '../classify/file-class.ts'

/** One file of a commit to be, or of the working tree. Paths are relative to the project's root. */
export interface Change {
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly path: string
  readonly package: string
  readonly class: FileClass
  /** Lines added and removed; none for a pure rename or a change of mode. */
  readonly lines: number
  /** In a test: the added lines that keep a test from running. */
  readonly skips: readonly string[]
}
