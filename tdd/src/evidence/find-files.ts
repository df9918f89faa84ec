import { readdirSync, statSync } from 'node:fs'
import picomatch from 'picomatch'
import { absolutePath } from '../places/paths.ts'

const mostFiles = 5000

/** The files a list of names and globs stands for, from `folder`. A name that is no glob is taken as it is. */
export function findFiles(folder: string, patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => filesOf(folder, pattern)))]
}

function filesOf(folder: string, pattern: string): string[] {
  const { base, glob, isGlob } = picomatch.scan(pattern.replaceAll('\\', '/'))
  if (!isGlob) return [absolutePath(pattern, folder)]
  const start = absolutePath(base === '' ? '.' : base, folder)
  if (statSync(start, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  const matches = picomatch(glob, { dot: true })
  return readdirSync(start, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => matches(name))
    .slice(0, mostFiles)
    .map((name) => `${start}/${name}`)
}
