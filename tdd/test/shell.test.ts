import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aside } from '../src/aside.ts'
import { heavy } from '../src/commands.ts'
import { handleHook } from '../src/hook/hook.ts'
import { claudeCode } from '../src/protocols/protocols.ts'
import { createRepository, type TestProject } from './support/project.ts'
import { buildTool, tutti } from './support/tool.ts'

let project: TestProject
let warned: TestProject

beforeAll(async () => {
  await buildTool()
  const files = { 'package.json': '{}', 'src/cart.ts': '', 'packages/a/package.json': '{}' }
  project = await createRepository({ ...files, 'tdd.config.yaml': 'team: { enforcementLevel: strict }\n' })
  warned = await createRepository({ ...files, 'tdd.config.yaml': 'team: { enforcementLevel: warn }\n' })
  for (const { root } of [project, warned]) await tutti(root, ['red', 'cart'])
  project.write('fix.patch', diffOf('src/cart.ts'))
  project.write('test.patch', diffOf('src/cart.test.ts'))
})

afterAll(() => {
  project[Symbol.dispose]()
  warned[Symbol.dispose]()
})

function diffOf(path: string): string {
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`
}

/** The response to Claude Code before a tool call: the reason of a refusal, else the context, else nothing. */
function before(root: string, tool: string, given: object, cwd = root): string {
  const input = { cwd, hook_event_name: 'PreToolUse', tool_name: tool, tool_input: given }
  const { denied, context } = handleHook(claudeCode.read(input, root), {
    agent: 'claude-code',
    now: new Date(),
    load: { aside: () => aside, heavy: () => heavy },
  })
  return denied ?? (context === undefined ? '' : `allowed, ${context}`)
}

const shell = (root: string, command: string, cwd?: string) => before(root, 'Bash', { command }, cwd)

test.each([
  `git apply <<'EOF'\n${diffOf('src/cart.ts')}EOF`,
  'git apply fix.patch',
  'git apply --index -3 fix.patch',
  'git am < fix.patch',
  'patch -p1 < fix.patch',
  'patch -p1 -i fix.patch',
  'cat fix.patch | patch -p1',
  `cat > /tmp/new.patch <<'EOF'\n${diffOf('src/cart.ts')}EOF\ngit apply /tmp/new.patch`,
  `bash -lc "git apply fix.patch"`,
])('in RED a patch of code is refused like an edit: %s', (command) => {
  expect(shell(project.root, command)).toContain('red-tests-only')
})

test('a patch of tests passes, and a patch from a subfolder is read from the root of the checkout', () => {
  expect(shell(project.root, 'git apply test.patch')).toBe('')
  expect(shell(project.root, 'git apply --check fix.patch')).toBe('')
  const below = join(project.root, 'packages/a')
  expect(shell(project.root, 'git apply ../../fix.patch', below)).toContain('src/cart.ts (implementation)')
})

test.each([
  'npx tutti-tdd uninstall',
  'npx --yes tutti-tdd off',
  'tutti-tdd stop',
  'node node_modules/tutti-tdd/dist/tutti-tdd.cjs off',
  'cd packages/a && npm exec -- tutti-tdd off',
  'sh -c "tutti-tdd off"',
  'npm uninstall tutti-tdd',
  'git commit --no-verify -m "x"',
  'git commit -anm "x"',
  'HUSKY=0 git commit -m x',
  'git config core.hooksPath /dev/null',
  'git -c core.hooksPath=/dev/null commit -m x',
])('in strict mode the assistant cannot suspend the rules by a command: %s', (command) => {
  const reason = shell(project.root, command)
  expect(reason).toContain('[TDD] Blocked, rule own-release')
  expect(reason).toContain('their own terminal')
})

test.each([
  'npx tutti-tdd run',
  'npx tutti-tdd status',
  'tutti-tdd on',
  'git commit -m "tutti-tdd off"',
  'git commit -m -n',
  'git config core.hooksPath',
  'git config user.name Ada',
  'git push --no-verify',
  'echo tutti-tdd off',
  'grep -rn /tdd-off .tdd/hook.cjs',
  'chmod +x src/cart.ts',
])('other commands pass: %s', (command) => {
  expect(shell(project.root, command)).toBe('')
})

const guarded = [
  'tdd.config.yaml',
  '.tdd/state.json',
  '.tdd/hook.cjs',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.cursor/hooks.json',
  '.github/hooks/tutti-tdd.json',
  '.windsurf/hooks.json',
  '.opencode/plugins/tutti-tdd.js',
  '.kiro/hooks/tutti-tdd.json',
  '.git/hooks/pre-commit',
  '.git/config',
  '.husky/pre-commit',
  'node_modules/tutti-tdd/dist/tutti-tdd.cjs',
]

test.each(guarded)('in strict mode the assistant cannot change %s, by edit or by shell', (path) => {
  for (const reason of [
    before(project.root, 'Write', { file_path: join(project.root, path), content: '' }),
    shell(project.root, `echo > ${path}`),
  ]) {
    expect(reason).toMatch(/\[TDD\] Blocked, rule own-(?:state|rules|hooks)/)
    expect(reason).toContain(path)
    if (!path.startsWith('.tdd/')) expect(reason).toContain('their own')
  }
})

test.each([
  'rm -rf .claude',
  'mv .husky old',
  'rm -rf .git/hooks',
  'git clean -fdx',
  'rm -rf node_modules/tutti-tdd',
])('nor remove the enforcement: %s', (command) => {
  expect(shell(project.root, command)).toMatch(/\[TDD\] Blocked, rule own-(?:state|hooks)/)
})

test('settings of the assistant outside the project are guarded too', () => {
  const home = '/home/another-user/.claude/settings.json'
  expect(before(project.root, 'Write', { file_path: home, content: '' })).toContain('rule own-hooks')
})

test('at the level warn every call passes, with the same message', () => {
  expect(shell(warned.root, 'npx tutti-tdd off')).toMatch(/^allowed, \[TDD\] Careful, rule own-release/)
  expect(shell(warned.root, 'echo > .claude/settings.json')).toMatch(/^allowed, .*rule own-hooks/)
})

test('a person at a terminal can suspend the rules in strict mode', async () => {
  using own = await createRepository({ 'tdd.config.yaml': 'team: { enforcementLevel: strict }\n' })
  await tutti(own.root, ['red', 'cart'])
  expect(await tutti(own.root, ['off'])).toMatchObject({ code: 0 })
  expect(shell(own.root, 'echo > .claude/settings.json')).toBe('')
  expect(await tutti(own.root, ['uninstall'])).toMatchObject({ code: 0 })
})
