import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createFolder, createRepository } from './support/project.ts'
import { ask, buildTool, tutti, writing } from './support/tool.ts'

beforeAll(buildTool)

const prompt = (text = 'hello') => ({ event: 'UserPromptSubmit', prompt: text })
const passed = { continue: true }
const contextOf = ({ answer }: { answer: unknown }): string => (answer as { context?: string }).context ?? ''

test('a call it cannot evaluate is allowed, with exit 0 and one line on standard error', async () => {
  using project = await createRepository()
  await tutti(project.root, ['start'])
  for (const args of [
    ['hook', '{'],
    ['hook', ''],
    ['hook', '{"event":'],
  ]) {
    const { stdout, stderr, code } = await tutti(project.root, args)
    expect({ stdout, code }).toEqual({ stdout: '{"continue":true}\n', code: 0 })
    expect(stderr).toMatch(/^tutti-tdd: .*nothing was checked\n$/)
  }
})

test('without an argument, with another event, another tool or no file, the call is allowed silently', async () => {
  using project = await createRepository()
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  const questions = [
    '{}',
    'null',
    '[]',
    '{"event":"Stop"}',
    '{"event":"PreToolUse"}',
    '{"event":"PreToolUse","data":{"toolName":"Bash","args":{"command":"echo > src/a.ts"}}}',
    '{"event":"PreToolUse","data":{"toolName":"Write","args":{"file_path":7}}}',
  ]
  expect(await tutti(project.root, ['hook'])).toEqual({ stdout: '{"continue":true}\n', stderr: '', code: 0 })
  for (const question of questions)
    expect(await tutti(project.root, ['hook', question])).toEqual({
      stdout: '{"continue":true}\n',
      stderr: '',
      code: 0,
    })
})

test('the phases: RED blocks code, GREEN warns of tests, REFACTOR reminds', async () => {
  using project = await createRepository()
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart', 'totals'])
  expect((await ask(project.root, writing('src/cart.ts'))).answer).toMatchObject({ continue: false })
  expect((await ask(project.root, writing('src/cart.test.ts'))).answer).toEqual(passed)
  await tutti(project.root, ['green'])
  expect((await ask(project.root, writing('src/cart.ts'))).answer).toEqual(passed)
  expect(contextOf(await ask(project.root, writing('src/cart.test.ts', 'Edit')))).toContain(
    'green-tests-fixed',
  )
  await tutti(project.root, ['refactor'])
  expect(contextOf(await ask(project.root, writing('src/cart.ts', 'MultiEdit')))).toContain(
    'every test keeps passing',
  )
})

test('the status line has the documented form', async () => {
  using project = await createRepository({ 'package.json': '{}', 'src/cart.ts': '', 'README.md': '' })
  await project.git('add', '.')
  expect(contextOf(await ask(project.root, prompt()))).toBe(
    '[TDD Status] Phase: unknown, Coverage: unknown% | [Project Context] 3 files tracked, Type: node',
  )
  project.write(
    'coverage/coverage-summary.json',
    JSON.stringify({ total: { lines: { total: 1000, covered: 876 } } }),
  )
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  expect(contextOf(await ask(project.root, prompt()))).toBe(
    '[TDD Status] Phase: RED, Coverage: 87.6% | [Project Context] 3 files tracked, Type: node',
  )
})

test('coverage older than an edit is unknown after the 30 seconds of the cache', async () => {
  using project = await createRepository({ 'src/cart.ts': '' })
  project.write('coverage/lcov.info', 'SF:src/cart.ts\nDA:1,1\nDA:2,0\nend_of_record\n')
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  await tutti(project.root, ['green'])
  expect(contextOf(await ask(project.root, prompt()))).toContain('Coverage: 50%')
  const cache = join(project.root, '.tdd/cache/coverage.json')
  const grow = (ms: number) => {
    const facts = JSON.parse(readFileSync(cache, 'utf8')) as Record<string, { at: number }>
    project.write(
      '.tdd/cache/coverage.json',
      JSON.stringify({ '.': { ...facts['.'], at: (facts['.']?.at ?? 0) - ms } }),
    )
  }
  await ask(project.root, writing('src/cart.ts'))
  const later = new Date(Date.now() + 5000)
  utimesSync(join(project.root, 'src/cart.ts'), later, later)
  expect(contextOf(await ask(project.root, prompt()))).toContain('Coverage: 50%')
  grow(31_000)
  expect(contextOf(await ask(project.root, prompt()))).toContain('Coverage: unknown%')
})

test('a project below the root of a repository counts the files the repository tracks', async () => {
  using project = await createRepository({
    'apps/shop/tdd.config.yaml': '',
    'apps/shop/a.ts': '',
    'b.ts': '',
  })
  await project.git('add', '.')
  expect(contextOf(await ask(join(project.root, 'apps/shop'), prompt()))).toContain('3 files tracked')
})

test('slash commands change the phase before the assistant reads them', async () => {
  using project = await createRepository()
  expect(contextOf(await ask(project.root, prompt('/tdd-green cart')))).toContain('/tdd-green refused')
  expect(contextOf(await ask(project.root, prompt('/tdd-start')))).toContain('Session started')
  expect(contextOf(await ask(project.root, prompt('/tdd-red cart totals')))).toMatch(
    /Phase: RED.*only tests may change/i,
  )
  expect((await ask(project.root, writing('src/cart.ts'))).answer).toMatchObject({ continue: false })
  expect(contextOf(await ask(project.root, prompt('/tdd-refactor')))).toContain('the phase is RED')
  expect(contextOf(await ask(project.root, prompt('/tdd-green')))).toContain('Phase: GREEN')
  expect(contextOf(await ask(project.root, prompt('/tdd-refactor')))).toContain('Phase: REFACTOR')
  const status = contextOf(await ask(project.root, prompt('/tdd-status')))
  for (const part of ['Coverage:', 'Quality:', 'Compliance:']) expect(status).toContain(part)
  expect(contextOf(await ask(project.root, prompt('/tdd-validate')))).toContain(
    'Nothing against the workflow',
  )
  expect(contextOf(await ask(project.root, prompt('talk about /tdd-red here')))).toContain('Phase: REFACTOR')
})

test('native hooks stay silent in projects without a setup, and write nothing there', async () => {
  using project = await createRepository({ 'src/cart.ts': '' })
  const call = { hook_event_name: 'UserPromptSubmit', prompt: 'hi', cwd: project.root }
  const edit = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: 'src/cart.ts' },
    cwd: project.root,
  }
  for (const input of [call, edit])
    expect(
      await tutti(project.root, ['hook', '--agent', 'claude-code'], { input: JSON.stringify(input) }),
    ).toEqual({
      stdout: '',
      stderr: '',
      code: 0,
    })
  expect(existsSync(join(project.root, '.tdd'))).toBe(false)
})

test('without a configuration the hook warns, and blocks once a session was started', async () => {
  using project = await createRepository()
  await tutti(project.root, ['red', 'cart'])
  expect(contextOf(await ask(project.root, writing('src/cart.ts')))).toContain('red-tests-only')
  await tutti(project.root, ['start'])
  expect((await ask(project.root, writing('src/cart.ts'))).answer).toMatchObject({ continue: false })
})

test('paths are checked relative to the project', async () => {
  using outer = createFolder()
  const root = join(outer.root, 'tests/spec/shop')
  mkdirSync(root, { recursive: true })
  await tutti(root, ['start'])
  await tutti(root, ['red', 'cart'])
  expect((await ask(root, writing(join(root, 'src/cart.ts')))).answer).toMatchObject({ continue: false })
  expect((await ask(join(root), writing('src\\cart.ts'))).answer).toMatchObject({ continue: false })
  expect((await ask(root, writing('/tmp/elsewhere/cart.ts'))).answer).toEqual(passed)
  expect((await ask(root, writing('../../cart.ts'))).answer).toEqual(passed)
  expect(await ask(root, writing('C:\\elsewhere\\cart.ts'))).toEqual({ answer: passed, stderr: '' })
})

test('a symbolic link is checked by its target', async () => {
  using project = await createRepository({ 'src/cart.ts': '', 'tests/a.ts': '' })
  symlinkSync(join(project.root, 'src'), join(project.root, 'tests/linked'))
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red'])
  expect((await ask(project.root, writing('tests/linked/new.ts'))).answer).toMatchObject({ continue: false })
  expect((await ask(project.root, writing('tests/a.ts'))).answer).toEqual(passed)
})

test('each package of a monorepo has its own phase, and the root phase applies to the rest', async () => {
  using project = await createRepository({
    'package.json': '{}',
    'packages/a/package.json': '{}',
    'packages/b/package.json': '{}',
  })
  await tutti(project.root, ['start'])
  await tutti(join(project.root, 'packages/a'), ['red', 'cart'])
  expect((await ask(project.root, writing('packages/a/src/cart.ts'))).answer).toMatchObject({
    continue: false,
  })
  expect(contextOf(await ask(project.root, writing('packages/b/src/cart.ts')))).toContain('test-first')
  await tutti(project.root, ['red', 'everything'])
  expect((await ask(project.root, writing('packages/b/src/cart.ts'))).answer).toMatchObject({
    continue: false,
  })
  await tutti(project.root, ['green', '--package', 'packages/a'])
  expect((await ask(project.root, writing('packages/a/src/cart.ts'))).answer).toEqual(passed)
  expect(contextOf(await ask(project.root, prompt()))).toMatch(
    /Phase: RED.*\[TDD Packages\] packages\/a: GREEN/,
  )
})

test('a worktree has its own phase, even inside the checkout it came from', async () => {
  using project = await createRepository({ 'src/cart.ts': '' })
  await project.git('add', '.')
  await project.git('commit', '-qm', 'start')
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  await project.git('worktree', 'add', '-q', 'trees/two')
  const tree = join(project.root, 'trees/two')
  expect((await ask(tree, writing('src/cart.ts'))).answer).toEqual(passed)
  expect(contextOf(await ask(tree, prompt()))).toContain(
    'Phase: unknown, Coverage: unknown% | [Project Context] 1 files tracked',
  )
  expect((await ask(project.root, writing('src/cart.ts'))).answer).toMatchObject({ continue: false })
})

test('Rust keeps tests inside source files: such an edit gets a warning, any other is blocked', async () => {
  using project = await createRepository({ 'Cargo.toml': '', 'src/cart.rs': '#[cfg(test)]\nmod tests {}\n' })
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red'])
  expect(contextOf(await ask(project.root, writing('src/cart.rs')))).toContain('with its tests inside')
  expect((await ask(project.root, writing('src/other.rs'))).answer).toMatchObject({ continue: false })
  const args = { file_path: 'src/other.rs', content: '#[test]\nfn adds() {}' }
  expect(
    (await ask(project.root, { event: 'PreToolUse', data: { toolName: 'Write', args } })).answer,
  ).toMatchObject({
    continue: true,
  })
})

test('a damaged or newer state file allows every call, and is reported in one line', async () => {
  using project = await createRepository()
  for (const [content, word] of [
    ['{', 'damaged'],
    ['{"version":1,"revision":1,"packages":{".":{"phase":"BLUE"}}}', 'damaged'],
    ['null', 'damaged'],
    ['{"version":99}', 'newer'],
  ]) {
    project.write('.tdd/state.json', content)
    const { answer, stderr } = await ask(project.root, writing('src/cart.ts'))
    expect(answer).toEqual(passed)
    expect(stderr.split('\n')).toEqual([expect.stringContaining(word ?? ''), ''])
    const red = await tutti(project.root, ['red', 'cart'])
    expect(red).toMatchObject({ code: 1, stderr: expect.stringContaining(word ?? '') })
  }
  const started = await tutti(project.root, ['start'])
  expect(started.stderr).toContain('state.json.unreadable')
  expect((await tutti(project.root, ['red', 'cart'])).code).toBe(0)
})

function setModes(folders: readonly string[], mode: number): void {
  for (const folder of folders) chmodSync(folder, mode)
}

test('a read-only checkout is read: the rules apply, and commands report what is wrong', async () => {
  using project = await createRepository({ 'tdd.config.yaml': 'team:\n  enforcementLevel: strict\n' })
  await tutti(project.root, ['red', 'cart'])
  const unprivileged = process.getuid?.() === 0 ? { uid: 65534 } : {}
  const folders = ['', '.tdd', '.tdd/log', '.tdd/cache'].map((name) => join(project.root, name))
  // Root may remove files it has no permission for, so the test drops its privileges.
  using closing = new DisposableStack()
  closing.defer(() => setModes(folders, 0o755))
  setModes(folders, 0o555)
  project.write('tdd.config.yaml', 'team:\n  enforcementLevel: strict\n# changed\n')
  const { stdout, stderr, code } = await tutti(
    project.root,
    ['hook', JSON.stringify(writing('src/cart.ts'))],
    unprivileged,
  )
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ continue: false })
  const green = await tutti(project.root, ['green'], unprivileged)
  expect(green).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be written') })
  expect((await tutti(project.root, ['status'], unprivileged)).stdout).toContain('Phase:      RED')
})
