import { expect, test } from 'vitest'
import { shellWrites } from './shell-writes.ts'

const pathsOf = (command: string): string[] => shellWrites(command).map(({ path }) => path)

test.each<[string, string[]]>([
  ['echo hi > src/a.ts', ['src/a.ts']],
  ['echo hi >> src/a.ts', ['src/a.ts']],
  ['echo hi >src/a.ts', ['src/a.ts']],
  ['cat > src/a.ts <<EOF\nexport const a = "x > y.ts"\nEOF\n', ['src/a.ts']],
  ["cat <<'END' > src/a.ts\nrm b.ts\nEND", ['src/a.ts']],
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
  '',
])('%s writes no file that can be named', (command) => {
  expect(pathsOf(command)).toEqual([])
})

test('a command that never ends its quotes is read without breaking', () => {
  expect(pathsOf('echo "x > src/a.ts')).toEqual([])
  expect(pathsOf(`cat <<EOF > a.ts\n${'x'.repeat(200_000)}`)).toBeInstanceOf(Array)
})
