import { existsSync } from 'node:fs'
import { classify } from '../classify/classify.ts'
import type { Config } from '../config/config.ts'
import { userRules } from '../evidence/hash-tests.ts'
import { type Git, nulSeparated } from '../git/run-git.ts'
import { gitFolder } from '../git/tracked-files.ts'
import { locate, type Project } from '../project/locate.ts'
import type { Change } from './change.ts'

/** The empty tree, for a repository without a commit. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Whether a merge, revert, cherry-pick or rebase is in progress: such a commit is not work in a phase. */
export function mergeUnderWay({ root }: Project): boolean {
  const folder = gitFolder(root)
  return (
    folder !== undefined &&
    ['MERGE_HEAD', 'REVERT_HEAD', 'CHERRY_PICK_HEAD', 'rebase-merge', 'rebase-apply'].some((name) =>
      existsSync(`${folder}/${name}`),
    )
  )
}

/** The staged changes, or all changes since the last commit; undefined when git fails. */
export function readChanges(
  project: Project,
  config: Config,
  staged: boolean,
  git: Git,
): Change[] | undefined {
  const head = git(['rev-parse', '--verify', '-q', 'HEAD']) === undefined ? emptyTree : 'HEAD'
  const base = staged ? ['diff', '--cached'] : ['diff', head]
  const names = git([...base, '--name-status', '-z', '-M', '--relative'])
  const numbers = git([...base, '--numstat', '-z', '-M', '--relative'])
  if (names === undefined || numbers === undefined) return undefined
  const lines = parseNumbers(numbers)
  const untracked = staged ? [] : nulSeparated(git(['ls-files', '-z', '-o', '--exclude-standard']) ?? '')
  const statuses = [...parseNames(names), ...untracked.map((path) => ({ status: 'added' as const, path }))]
  const rules = userRules(config)
  const changes = statuses.flatMap(({ status, path }): Omit<Change, 'skips'>[] => {
    const place = locate(path, project.root)
    if (place === undefined || place.path.startsWith('.tdd/')) return []
    const kind = classify(place, { rules, framework: config.project.framework })
    return [
      {
        status,
        path,
        package: place.package,
        class: kind,
        lines: lines.get(path) ?? (status === 'added' ? 1 : 0),
      },
    ]
  })
  const tests = changes
    .filter((change) => change.class === 'test' && change.status !== 'deleted')
    .map(({ path }) => path)
  const diff =
    tests.length === 0
      ? ''
      : (git([
          ...base,
          '-U0',
          '-M',
          '--relative',
          '--no-color',
          '--no-ext-diff',
          '--src-prefix=a/',
          '--dst-prefix=b/',
          '--',
          ...tests,
        ]) ?? '')
  const skips = addedSkips(diff)
  return changes.map((change) => ({ ...change, skips: skips.get(change.path) ?? [] }))
}

const statusByLetter: Readonly<Record<string, Change['status']>> = {
  A: 'added',
  C: 'added',
  M: 'modified',
  T: 'modified',
  D: 'deleted',
  R: 'renamed',
}

/** Parses `M\0path\0`, and for renames and copies `R100\0old\0new\0`. */
function parseNames(text: string): { status: Change['status']; path: string }[] {
  const parts = nulSeparated(text)
  const found: { status: Change['status']; path: string }[] = []
  for (let at = 0; at < parts.length; ) {
    const letter = parts[at]?.charAt(0) ?? ''
    const pair = letter === 'R' || letter === 'C'
    const path = parts[at + (pair ? 2 : 1)]
    const status = statusByLetter[letter]
    if (path !== undefined && status !== undefined) found.push({ status, path })
    at += pair ? 3 : 2
  }
  return found
}

/** Parses `added\tremoved\tpath\0`, and for renames `added\tremoved\t\0old\0new\0`. Binary files have `-`. */
function parseNumbers(text: string): Map<string, number> {
  const parts = nulSeparated(text)
  const found = new Map<string, number>()
  for (let at = 0; at < parts.length; at++) {
    const [added = '', removed = '', path = ''] = (parts[at] ?? '').split('\t')
    const name = path === '' ? parts[(at += 2)] : path
    if (name !== undefined) found.set(name, (Number(added) || 0) + (Number(removed) || 0))
  }
  return found
}

/** Markers that disable a test, or all other tests, in the supported languages. */
const marker =
  /\b(?:describe|context|suite|it|test|specify|fixture)(?:\.(?:concurrent|sequential))?\.(?:skip|only|todo|fixme)\b|\b(?:xit|xdescribe|xtest|xcontext|fit|fdescribe)\s*\(|@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.skip\w*|Disabled|Ignore|IgnoreTest)\b|\bpytest\.skip\s*\(|\bt\.Skip(?:f|Now)?\s*\(|#\[ignore\b|\bmarkTest(?:Skipped|Incomplete)\s*\(|\[(?:Ignore|Skip)\b|\bSkip\s*=\s*"|\bXCTSkip\b|\bDISABLED_|@tag\s+:skip\b|\bskip:\s*true\b|\bpending\s*\(/

/** The skip markers that a diff adds, by file. Reads `git diff -U0`. */
export function addedSkips(diff: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let file: string | undefined
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) file = line === '+++ /dev/null' ? undefined : line.slice(6)
    else if (file !== undefined && line.startsWith('+') && marker.test(line))
      found.set(file, [...(found.get(file) ?? []), line.slice(1).trim()])
  }
  return found
}
