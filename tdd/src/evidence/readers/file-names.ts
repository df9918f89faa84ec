import { posix } from 'node:path'

/** Spells a file as the project sees it: relative to its root, with forward slashes. */
export function relativeFile(file: string, root: string): string {
  const path = forwardSlashes(file.replace(/^file:\/\/(?=\/)/, ''), root)
  const isAbsolute = path.startsWith('/') || isWindowsPath(path)
  return isAbsolute ? posix.relative(forwardSlashes(root, root), path) : posix.normalize(path)
}

/**
 * Whether a name is in truth a test's source file, as runners name the tests of a file that did not load.
 * `describe('utils.js')` is no such name: a file lies in a folder or is called after tests.
 */
export function isTestFileName(name: string): boolean {
  return (
    /^\S+\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|t|pl|sh|bats|lua|dart|exs|coffee)$/.test(name) &&
    /\/|test|spec/.test(name)
  )
}

// A backslash is a separator on Windows alone; elsewhere it may be part of a name.
function forwardSlashes(path: string, root: string): string {
  if (!isWindowsPath(path) && !isWindowsPath(root)) return path
  return path
    .replaceAll('\\', '/')
    .replace(/^\/(?=[A-Za-z]:)/, '')
    .replace(/^[a-z]:/, (drive) => drive.toUpperCase())
}

function isWindowsPath(path: string): boolean {
  return /^\/?[A-Za-z]:[\\/]/.test(path)
}
