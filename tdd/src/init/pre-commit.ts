import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { runGit } from '../git/run-git.ts'
import type { Project } from '../project/locate.ts'
import { absolutePath, below, parentOf } from '../project/paths.ts'
import { hookMark } from './setup.ts'

const begin = '# >>> tutti-tdd'
const end = '# <<< tutti-tdd'
const block = [
  begin,
  'tdd_hook="$(git rev-parse --show-toplevel)/.tdd/hook.cjs"',
  'if [ -f "$tdd_hook" ]; then node "$tdd_hook" validate --pre-commit || exit 1; fi',
  end,
].join('\n')

const ours = new RegExp(`\\n?${begin}[\\s\\S]*?${end}\\n?`)

/** The pre-commit file of git, or of husky where husky is used; undefined without git. */
export function preCommitFile({ root }: Project): string | undefined {
  const folder = runGit(root, ['rev-parse', '--git-path', 'hooks'])?.trim()
  if (folder === undefined || folder === '') return undefined
  const hooks = absolutePath(folder, root)
  return hooks.endsWith('/.husky/_') ? `${parentOf(hooks)}/pre-commit` : `${hooks}/pre-commit`
}

export type PreCommitOutcome = 'written' | 'there already' | 'not a shell script' | 'outside'

/** Adds the lines of this tool to the pre-commit hook; other lines stay. A hook outside the project is not changed. */
export function addPreCommit(project: Project, file: string): PreCommitOutcome {
  if (below(project.root, file) === undefined && !file.includes('/.git/')) return 'outside'
  const there = read(file)
  if (there?.includes(block) === true) return 'there already'
  if (there !== undefined && there.startsWith('#!') && !/^#!.*\b(?:sh|bash|zsh|dash)\b/.test(there))
    return 'not a shell script'
  const rest = there === undefined ? '#!/bin/sh\n' : there.replace(ours, '\n')
  // The lines are added at the start: a script that ends with `exit` or `exec` would not reach lines at its end.
  const [first = '', ...lines] = rest.split('\n')
  const text = first.startsWith('#!') ? [first, block, ...lines].join('\n') : `${block}\n${rest}`
  mkdirSync(parentOf(file), { recursive: true })
  writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`)
  chmodSync(file, (statSync(file).mode & 0o777) | 0o111)
  return 'written'
}

/** Removes the lines of this tool; a hook without other lines is deleted. */
export function removePreCommit(file: string): boolean {
  const there = read(file)
  if (there === undefined || !there.includes(begin)) return false
  const rest = there.replace(ours, '\n')
  if (rest.replace(/^#!.*\n?/, '').trim() === '') rmSync(file)
  else writeFileSync(file, rest)
  return true
}

export function hasPreCommit(file: string): boolean {
  return read(file)?.includes(hookMark) ?? false
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
