import { posix } from 'node:path'

/** Makes a file relative to the root of the project, with forward slashes. */
export function relativeFile(file: string, root: string): string {
  const path = forwardSlashes(file.replace(/^file:\/\/(?=\/)/, ''), root)
  const isAbsolute = path.startsWith('/') || isWindowsPath(path)
  return isAbsolute ? posix.relative(forwardSlashes(root, root), path) : posix.normalize(path)
}

/**
 * Whether a test name is a source file: runners report a file that did not load under its path. `describe('utils.js')` is no
 * such name: a file is in a folder or has the name of a test.
 */
export function isTestFileName(name: string): boolean {
  return (
    /^\S+\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|php|t|pl|sh|bats|lua|dart|exs|coffee)$/.test(name) &&
    /\/|test|spec/.test(name)
  )
}

// A backslash is a separator on Windows only; elsewhere it may be part of a name.
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
