import type { FileClass } from './file-class.ts'
import { type FileName, fileNameOf, isAmong } from './file-name.ts'
import { classByFramework } from './frameworks.ts'
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

/** Folders that tools fill, wherever they are. */
const anywhere =
  ' node_modules bower_components vendor third_party __pycache__ .venv venv .tox .gradle .next .nuxt .svelte-kit .dart_tool .git generated __generated__ '

/** Folders that tools fill when they stand at the top of a package; deeper down, `build/` may be somebody's code. */
const atTheTop = ' dist build out target coverage obj _build deps .cache .build '

const endings = ' map pyc class o so dll exe lock '

/** `api.generated.ts`, `service.pb.go`, `app.min.js`. */
const inners = ' generated gen freezed pb designer Designer min '

const protobufForPython = /_pb2(?:_grpc)?\.pyi?$/

/** Whether a tool writes this file. */
function isGenerated({ folders, name, ending, inner }: FileName): boolean {
  if (isAmong(atTheTop, folders[0] ?? '') || folders.some((folder) => isAmong(anywhere, folder))) return true
  if (isAmong(endings, ending) || isAmong(inners, inner) || name.startsWith('zz_generated.')) return true
  if (inner === 'g') return ending === 'dart' || ending === 'cs'
  return (ending === 'py' || ending === 'pyi') && protobufForPython.test(name)
}
