import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { agentSetups } from '../src/init/agents.ts'
import { createRepository, type TestProject } from './support/project.ts'
import { buildTool, runProgram, toolFile, tutti } from './support/tool.ts'

beforeAll(buildTool)

const names = agentSetups.map(({ name }) => name)
const all = names.flatMap((name) => ['--agent', name])
const read = (project: TestProject, path: string): string => readFileSync(join(project.root, path), 'utf8')

function filesOf(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter(
        (file) => !file.includes('/.tdd/cache/') && (!file.includes('/.git/') || file.endsWith('pre-commit')),
      )
      .map((file) => [file.slice(root.length + 1), readFileSync(file, 'utf8')]),
  )
}

test('for every assistant, the settings that init writes make the hook refuse code in RED', async () => {
  using project = await createRepository({ 'package.json': '{}' })
  const ended = await tutti(project.root, ['init', ...all])
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('/hooks in Codex'),
  })
  const { stdout, code } = await tutti(project.root, ['doctor'])
  for (const name of names) expect(stdout).toContain(`✓ ${name}: an edit of code in RED is refused`)
  expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'No problems found.' })
  expect(existsSync(join(project.root, '.tdd/state.json'))).toBe(false)
})

test('init twice changes nothing the second time', async () => {
  using project = await createRepository()
  await tutti(project.root, ['init', ...all])
  const before = filesOf(project.root)
  const { stdout } = await tutti(project.root, ['init', ...all])
  expect(filesOf(project.root)).toEqual(before)
  expect(stdout).not.toMatch(/^wrote/m)
})

test('existing settings stay in their own format, and uninstall restores them', async () => {
  const settings = {
    model: 'opus',
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './mine.sh' }] }] },
  }
  using project = await createRepository({
    '.claude/settings.json': `${JSON.stringify(settings, null, '\t')}\n`,
    '.claude/commands/tdd-red.md': 'mine\n',
    '.cursor/hooks.json': '{\n  "version": 1,\n  "hooks": {}\n}\n',
    '.windsurf/rules.md': 'mine\n',
    'tdd.config.yaml': 'team: { enforcementLevel: warn }\n',
    '.git/hooks/pre-commit': '#!/bin/sh\necho mine\n',
  })
  const before = filesOf(project.root)
  const { stdout, stderr } = await tutti(project.root, ['init', ...all])
  expect(stdout).toContain('kept   .claude/commands/tdd-red.md')
  expect(stderr).toContain('.claude/commands/tdd-red.md is yours')
  const merged = JSON.parse(read(project, '.claude/settings.json')) as typeof settings
  expect(merged.model).toBe('opus')
  expect(merged.hooks.PreToolUse[0]).toEqual(settings.hooks.PreToolUse[0])
  expect(merged.hooks.PreToolUse[1]?.hooks[0]?.command).toContain('.tdd/hook.cjs')
  expect(read(project, '.claude/settings.json')).toContain('\n\t"model"')
  expect(read(project, '.git/hooks/pre-commit')).toMatch(/^#!\/bin\/sh\n# >>> tutti-tdd[\s\S]*echo mine\n$/)

  expect(await tutti(project.root, ['uninstall'])).toMatchObject({ code: 0, stderr: '' })
  const after = filesOf(project.root)
  expect(JSON.parse(after['.claude/settings.json'] ?? '')).toEqual(settings)
  expect({ ...after, '.cursor/hooks.json': '' }).toEqual({ ...before, '.cursor/hooks.json': '' })
})

test('uninstall after init leaves only the configuration in an untouched project', async () => {
  using project = await createRepository({ 'src/cart.ts': '' })
  await tutti(project.root, ['init', ...all])
  await tutti(project.root, ['uninstall'])
  expect(Object.keys(filesOf(project.root)).sort()).toEqual(['src/cart.ts', 'tdd.config.yaml'])
  expect(existsSync(join(project.root, '.claude'))).toBe(false)
})

test('settings that are not plain JSON are never overwritten: init prints what to add', async () => {
  const commented = '{\n  // mine\n  "model": "opus"\n}\n'
  using project = await createRepository({ '.claude/settings.json': commented })
  const { code, stderr } = await tutti(project.root, ['init', '--agent', 'claude-code'])
  expect({ code, kept: read(project, '.claude/settings.json') }).toEqual({ code: 1, kept: commented })
  expect(stderr).toContain('Add these hooks by hand: {"UserPromptSubmit"')
  expect((await tutti(project.root, ['doctor'])).code).toBe(1)
})

test('init without a name sets up the assistants it detects', async () => {
  using project = await createRepository({ '.gemini/settings.json': '{}', 'opencode.json': '{}' })
  await tutti(project.root, ['init'])
  expect(existsSync(join(project.root, '.gemini/commands/tdd-red.toml'))).toBe(true)
  expect(existsSync(join(project.root, '.opencode/plugins/tutti-tdd.js'))).toBe(true)
  expect(existsSync(join(project.root, '.claude'))).toBe(false)
})

test('the threshold starts at the current coverage', async () => {
  using project = await createRepository()
  project.write(
    'coverage/coverage-summary.json',
    JSON.stringify({ total: { lines: { total: 100, covered: 61 } } }),
  )
  await tutti(project.root, ['init'])
  expect(read(project, 'tdd.config.yaml')).toContain('coverageThreshold: 61')
})

test('git tracks the hook and the metrics of the team, not the phase of one person', async () => {
  using project = await createRepository()
  await tutti(project.root, ['init', '--agent', 'claude-code'])
  await tutti(project.root, ['start'])
  project.write('.tdd/metrics/ada.json', '{}')
  await project.git('add', '.')
  const { stdout } = await project.git('ls-files', '.tdd')
  expect(stdout.trim().split('\n')).toEqual(['.tdd/.gitignore', '.tdd/hook.cjs', '.tdd/metrics/ada.json'])
})

test.each([
  ['a command', ['red', 'cart']],
  ['a hook call that reads the configuration', ['hook', '{"event":"UserPromptSubmit","prompt":"hi"}']],
  ['a run of the tests', ['run', '--report', 'report.xml']],
])('without init, %s leaves nothing for git but the file that ignores the rest', async (_name, args) => {
  const report = '<testsuites><testsuite name="s"><testcase name="a"/></testsuite></testsuites>'
  using project = await createRepository({
    'tdd.config.yaml': 'team: { sharedMetrics: true }\n',
    'report.xml': report,
  })
  expect(await tutti(project.root, args)).toMatchObject({ code: 0, stderr: '' })
  const { stdout } = await project.git('ls-files', '--others', '--exclude-standard', '.tdd')
  const seen = stdout.trim().split('\n')
  expect(seen.filter((path) => !path.startsWith('.tdd/metrics/'))).toEqual(['.tdd/.gitignore'])
})

test('an older state folder gets its .gitignore when a session starts', async () => {
  using project = await createRepository({ '.tdd/log/2026-01.jsonl': '' })
  await tutti(project.root, ['start'])
  const { stdout } = await project.git('ls-files', '--others', '--exclude-standard')
  expect(stdout.trim()).toBe('.tdd/.gitignore')
})

test('the pre-commit hook in the folder of core.hooksPath accepts the files that init wrote for every assistant', async () => {
  using project = await createRepository()
  await project.git('config', 'core.hooksPath', 'git-hooks')
  await tutti(project.root, ['init', ...all])
  await project.git('add', '-A')
  await project.git('commit', '-qm', 'set up')
  const { stdout } = await project.git('ls-files')
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(agentSetups.map(({ hookFile }) => hookFile)))
  project.write('src/cart.ts', 'export {}\n')
  await project.git('add', '-A')
  await expect(project.git('commit', '-qm', 'code')).rejects.toThrow()
})

test('the pre-commit hook stops a commit against the workflow, and accepts it with a test', async () => {
  using project = await createRepository()
  await tutti(project.root, ['init', '--agent', 'claude-code'])
  await project.git('add', '.')
  await project.git('commit', '-qm', 'set up')
  project.write('src/cart.ts', 'export {}\n')
  await project.git('add', '.')
  const refused = await runProgram('git', ['commit', '-qm', 'code'], { cwd: project.root })
  expect(refused.code).not.toBe(0)
  expect(`${refused.stdout}${refused.stderr}`).toContain('new-code-without-test: src/cart.ts is new')
  project.write('src/cart.test.ts', 'export {}\n')
  await project.git('add', '.')
  await project.git('commit', '-qm', 'code and test')
})

test('the opencode plugin throws on a denied call and writes the status into the message', async () => {
  using project = await createRepository()
  await tutti(project.root, ['init', '--agent', 'opencode'])
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  // As opencode does: loaded from the folder it lies in.
  writeFileSync(join(project.root, '.opencode/plugins/package.json'), '{"type":"module"}')
  const plugin = (await import(pathToFileURL(join(project.root, '.opencode/plugins/tutti-tdd.js')).href)) as {
    TuttiTdd(input: object): Promise<Record<string, (input: object, output: object) => Promise<void>>>
  }
  const hooks = await plugin.TuttiTdd({ directory: project.root })
  const write = (filePath: string) =>
    hooks['tool.execute.before']?.({ tool: 'write' }, { args: { filePath, content: '' } })
  await expect(write('src/cart.ts')).rejects.toThrow('red-tests-only')
  await expect(write('src/cart.test.ts')).resolves.toBeUndefined()
  const parts = [{ type: 'text', text: 'hello' }]
  await hooks['chat.message']?.({}, { parts })
  expect(parts[0]?.text).toMatch(/^hello\n\n\[TDD Status\] Phase: RED/)
})

test('doctor finds a hook that does not fire', async () => {
  using project = await createRepository()
  await tutti(project.root, ['init', '--agent', 'claude-code'])
  writeFileSync(join(project.root, '.tdd/hook.cjs'), 'process.exit(0)\n')
  const { stdout, code } = await tutti(project.root, ['doctor'])
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining('✗ claude-code: an edit of code in RED was not refused'),
  })
  rmSync(join(project.root, '.claude'), { recursive: true })
  expect((await tutti(project.root, ['doctor'])).stdout).toContain('no assistant calls the hook here')
})

const edit = JSON.stringify({
  event: 'PreToolUse',
  data: { toolName: 'Write', args: { file_path: 'src/cart.ts' } },
})

/** The project's own hook, with nothing on the PATH but Node and git. */
function callHook(project: TestProject, args: readonly string[], input = '') {
  return runProgram(process.execPath, [join(project.root, '.tdd/hook.cjs'), ...args], {
    cwd: project.root,
    input,
    env: { PATH: '/usr/bin:/bin' },
  })
}

test('the hook of a project declares its version and the tool it needs', async () => {
  using project = await createRepository()
  await tutti(project.root, ['init', '--agent', 'claude-code'])
  const { stdout } = await callHook(project, ['--version'])
  expect(JSON.parse(stdout)).toEqual({ hook: '2.2.0', needs: '2.2.0' })
})

test('without the tool the call is allowed, in the protocol of the assistant', async () => {
  using project = await createRepository()
  await tutti(project.root, ['init', '--agent', 'claude-code'])
  rmSync(join(project.root, '.tdd/cache'), { recursive: true })
  const line = expect.stringMatching(/^tutti-tdd is not installed; .*\n$/)
  expect(await callHook(project, [edit])).toEqual({ code: 0, stdout: '{"continue":true}\n', stderr: line })
  expect(await callHook(project, ['--agent', 'claude-code'], '{}')).toEqual({
    code: 0,
    stdout: '',
    stderr: line,
  })
  expect(await callHook(project, ['--agent', 'cursor'], '{}')).toEqual({
    code: 0,
    stdout: '{"permission":"allow"}\n',
    stderr: line,
  })
  expect(await callHook(project, ['validate', '--pre-commit'])).toEqual({ code: 0, stdout: '', stderr: line })
})

test('a tool that is too old is reported in one line, and a newer one is used', async () => {
  using project = await createRepository()
  await tutti(project.root, ['init', '--agent', 'claude-code'])
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  const tool = join(project.root, 'node_modules/tutti-tdd/dist')
  cpSync(dirname(toolFile), tool, { recursive: true })
  const current = readFileSync(join(tool, 'tutti-tdd.cjs'), 'utf8')
  for (const [version, answer] of [
    ['2.1.9', { continue: true }],
    ['2.2.0', { continue: false }],
    ['2.10.0', { continue: false }],
    ['3.0.0-beta.1', { continue: false }],
  ] as const) {
    writeFileSync(
      join(tool, 'tutti-tdd.cjs'),
      `${current}\nmodule.exports = { ...exports, version: '${version}' }`,
    )
    const { stdout, stderr, code } = await callHook(project, [edit])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject(answer)
    expect(stderr).toBe(
      answer.continue
        ? 'tutti-tdd 2.1.9 is installed, and this hook needs 2.2.0 or newer; nothing was checked\n'
        : '',
    )
  }
  for (const broken of ['throw new Error("broken\\nby hand")', 'exports.version = "2.2.0"', '']) {
    writeFileSync(join(tool, 'tutti-tdd.cjs'), broken)
    const { stdout, stderr, code } = await callHook(project, [edit])
    expect({ stdout, code, lines: stderr.split('\n').length }).toEqual({
      stdout: '{"continue":true}\n',
      code: 0,
      lines: 2,
    })
  }
})

test('a pre-commit hook that is no shell script is not changed', async () => {
  using project = await createRepository({ '.git/hooks/pre-commit': '#!/usr/bin/env python3\nprint(1)\n' })
  chmodSync(join(project.root, '.git/hooks/pre-commit'), 0o755)
  const { stderr } = await tutti(project.root, ['init', '--agent', 'claude-code'])
  expect(stderr).toContain('is not a shell script')
  expect(read(project, '.git/hooks/pre-commit')).toBe('#!/usr/bin/env python3\nprint(1)\n')
  expect(statSync(join(project.root, '.git/hooks/pre-commit')).mode & 0o111).not.toBe(0)
})
