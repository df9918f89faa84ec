import { expect, test } from 'vitest'
import { readCommand } from './read-command.ts'

const pathsOf = (command: string): string[] =>
  readCommand(command, '/repo').writes.map(({ path }) => path.replace(/^\/repo\//, ''))

test.each<[string, string[]]>([
  ['echo hi > src/a.ts', ['src/a.ts']],
  ['echo hi >> src/a.ts', ['src/a.ts']],
  ['echo hi >src/a.ts', ['src/a.ts']],
  ['cat > src/a.ts <<EOF\nexport const a = "x > y.ts"\nEOF\n', ['src/a.ts']],
  ["cat <<'END' > src/a.ts\nrm b.ts\nEND", ['src/a.ts']],
  ['cat <<A <<B > src/a.ts\nrm a.ts\nA\nrm b.ts\nB\ntouch c.ts', ['src/a.ts', 'c.ts']],
  ['cat <<EOF > src/a.ts\nEOF\ntouch c.ts', ['src/a.ts', 'c.ts']],
  ['npm test | tee src/a.ts', ['src/a.ts']],
  ['npm test | tee -a one.ts two.ts', ['one.ts', 'two.ts']],
  ["sed -i 's/a/b/' src/a.ts src/b.ts", ['src/a.ts', 'src/b.ts']],
  ["sed -i -e 's/a/b/' src/a.ts", ['src/a.ts']],
  ["sed -i.bak 's/a/b/' src/a.ts", ['src/a.ts']],
  ["sed 's/a/b/' src/a.ts", []],
  ["perl -pi -e 's/a/b/' src/a.ts", ['src/a.ts']],
  ['cp a.ts src/b.ts', ['src/b.ts']],
  ['mv a.ts src/b.ts', ['a.ts', 'src/b.ts']],
  ['rm -rf .tdd', ['.tdd']],
  ['sudo rm src/a.ts', ['src/a.ts']],
  ['dd if=/dev/zero of=src/a.ts', ['src/a.ts']],
  ['cd packages/a && echo x > src/a.ts', ['packages/a/src/a.ts']],
  ['cd /repo && echo x > /elsewhere/a.ts', ['/elsewhere/a.ts']],
  ['echo "a b" > "src/my file.ts"', ['src/my file.ts']],
  ['a=1 tee src/a.ts; echo done', ['src/a.ts']],
  ['printf x &> src/a.ts', ['src/a.ts']],
  [
    'apply_patch <<EOF\n*** Begin Patch\n*** Update File: src/a.ts\n*** Delete File: src/b.ts\n*** End Patch\nEOF',
    ['src/a.ts', 'src/b.ts'],
  ],
  ['bash -lc "echo x > src/a.ts"', ['src/a.ts']],
  ['git mv src/a.ts src/b.ts', ['src/a.ts', 'src/b.ts']],
  ['git rm src/a.ts', ['src/a.ts']],
  ['git checkout other -- src/a.ts', ['src/a.ts']],
  ['git restore --source=other src/a.ts', ['src/a.ts']],
  ['git -C packages/a rm src/a.ts', ['packages/a/src/a.ts']],
  ['git clean -fdx', ['.tdd']],
])('%s writes %j', (command, expected) => {
  expect(pathsOf(command)).toEqual(expected)
})

test.each([
  'npm test 2>/dev/null',
  'npm test > /dev/null 2>&1',
  'git status',
  'echo "x > src/a.ts"',
  "grep -n '->' src/a.ts",
  'node -e "if (1 > 0) console.log(1)"',
  'cat < src/a.ts',
  'ls # > src/a.ts',
  'echo x > "$FILE"',
  '[[ 2 -gt 1 ]] && echo yes',
  'git checkout -- src/a.ts',
  'git checkout HEAD -- src/a.ts',
  'git checkout -b feature',
  'git restore src/a.ts',
  'git stash pop',
  'git rm --cached src/a.ts',
  'git clean -fd',
  'chmod -x src/a.sh',
  'git clean -fdx -e .tdd',
  'git clean -ndx -n',
  '',
])('%s writes no file that can be determined', (command) => {
  expect(pathsOf(command)).toEqual([])
})

/** The minimum of three calls: one of them may be interrupted by a garbage collection. */
function cpuMsFor(beginnings: number): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage()
    readCommand('<<A\n'.repeat(beginnings), '/repo')
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test('unterminated constructs are read in linear time', () => {
  cpuMsFor(6000)
  expect(cpuMsFor(24_000)).toBeLessThan(12 * Math.max(cpuMsFor(6000), 5))
})

test('a command with unterminated quotes is read without an error', () => {
  expect(pathsOf('echo "x > src/a.ts')).toEqual([])
  expect(pathsOf(`cat <<EOF > a.ts\n${'x'.repeat(200_000)}`)).toBeInstanceOf(Array)
})

const change = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n'
const heredoc = (command: string, body: string): string => `${command} <<'EOF'\n${body}EOF\n`

test.each<[string, string[]]>([
  [heredoc('git apply', change), ['src/a.ts']],
  [heredoc('git apply -p0', change), ['b/src/a.ts']],
  [heredoc('git apply --directory=packages/a', change), ['packages/a/src/a.ts']],
  [heredoc('git apply -', change), ['src/a.ts']],
  [heredoc('git am', `From: Ada\nSubject: fix\n\n---\n${change}`), ['src/a.ts']],
  [heredoc('patch -p1', change), ['src/a.ts']],
  [heredoc('patch -p1 -d packages/a', change), ['packages/a/src/a.ts']],
  [heredoc('patch', change), ['a.ts']],
  [heredoc('patch src/b.ts', change), ['src/b.ts']],
  [heredoc('cd packages/a && patch -p1', change), ['packages/a/src/a.ts']],
  [`git apply <<< '${change}'`, ['src/a.ts']],
  [`printf '--- a/src/a.ts\\n+++ b/src/a.ts\\n' | git apply`, ['src/a.ts']],
  [`${heredoc('cat > x.patch', change)}git apply x.patch`, ['x.patch', 'src/a.ts']],
  [`${heredoc('tee x.patch', change)}patch -p1 -i x.patch`, ['x.patch', 'src/a.ts']],
  [heredoc('git apply', '--- a/src/a.ts\n+++ /dev/null\n'), ['src/a.ts']],
  [heredoc('git apply', '--- /dev/null\n+++ b/src/new.ts\n'), ['src/new.ts']],
  [heredoc('git apply', 'diff --git a/a.ts b/b.ts\nrename from a.ts\nrename to b.ts\n'), ['b.ts', 'a.ts']],
  [heredoc('git apply', 'diff --git a/e.ts b/e.ts\nnew file mode 100644\n'), ['e.ts']],
  [heredoc('git apply', '--- "a/\\303\\274 b.ts"\n+++ "b/\\303\\274 b.ts"\n'), ['ü b.ts']],
  [heredoc('patch -p1', '--- a/src/a.ts\t2026-01-01\n+++ b/src/a.ts\t2026-01-02\n'), ['src/a.ts']],
  [heredoc('git apply --check', change), []],
  [heredoc('patch --dry-run -p1', change), []],
  ['git am --abort', []],
  ['curl https://example.org/x.patch | git apply', []],
  ['git apply missing.patch', []],
])('%j patches %j', (command, expected) => {
  expect(pathsOf(command)).toEqual(expected)
})
