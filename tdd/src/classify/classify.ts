import type { FileClass } from './file-class.ts'
import { fileNameOf } from './file-name.ts'
import { classByFramework } from './frameworks.ts'
import { isGenerated } from './generated-files.ts'
import { isNeutral } from './neutral-files.ts'
import { isTest } from './test-files.ts'

/** A user's glob, already a regular expression over the path from the project's root. */
export interface UserRule {
  readonly class: FileClass
  readonly pattern: RegExp
}

export interface Subject {
  /** From the project's root; what the user's globs are matched with. */
  readonly path: string
  readonly package: string
  readonly pathInPackage: string
}

export interface ClassifyOptions {
  readonly rules?: readonly UserRule[]
  readonly framework?: string | undefined
}

/** Says what a file is. The order is told in `file-class.ts`. */
export function classify(file: Subject, { rules = [], framework }: ClassifyOptions = {}): FileClass {
  const name = fileNameOf(file.pathInPackage)
  if (isGenerated(name)) return 'generated'
  const chosen = rules.find(({ pattern }) => pattern.test(file.path))?.class
  if (chosen !== undefined) return chosen
  const known = framework === undefined ? undefined : classByFramework(framework, name.path)
  if (known !== undefined) return known
  if (isTest(name, file.package)) return 'test'
  return isNeutral(name) ? 'neutral' : 'implementation'
}
