import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createFolder, createRepository } from './support/project.ts'
import { ask, buildTool, tutti, writing } from './support/tool.ts'

beforeAll(buildTool)

const readState = (root: string) =>
  JSON.parse(readFileSync(join(root, '.tdd/state.json'), 'utf8')) as {
    revision: number
    packages: Record<string, { phase: string; feature: string }>
  }

test('concurrent sessions lose no writes of each other', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `packages/p${index}`)
  using project = createFolder(Object.fromEntries(names.map((name) => [`${name}/package.json`, '{}'])))
  await tutti(project.root, ['start'])
  const ended = await Promise.all(names.map((name) => tutti(join(project.root, name), ['red', name])))
  expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0))
  const state = readState(project.root)
  expect(Object.keys(state.packages).sort()).toEqual(names)
  expect(state.revision).toBe(1 + names.length)
  expect(readdirSync(join(project.root, '.tdd')).filter((name) => name.startsWith('state.json'))).toEqual([
    'state.json',
  ])
})

test('concurrent hooks each write a whole line to the log', async () => {
  using project = await createRepository()
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red'])
  await Promise.all(Array.from({ length: 10 }, (_, index) => ask(project.root, writing(`src/${index}.ts`))))
  const log = join(project.root, '.tdd/log')
  const lines = readdirSync(log).flatMap((name) => readFileSync(join(log, name), 'utf8').trim().split('\n'))
  const edits = lines
    .map((line) => JSON.parse(line) as { kind: string })
    .filter(({ kind }) => kind === 'edit')
  expect(edits).toHaveLength(10)
})

test('the log keeps one year', async () => {
  using project = await createRepository({
    '.tdd/log/2019-01.jsonl': '{}\n',
    '.tdd/log/2999-01.jsonl': '{}\n',
  })
  await tutti(project.root, ['start'])
  expect(readdirSync(join(project.root, '.tdd/log'))).toEqual(['2999-01.jsonl'])
})

test('a lock that a crash left behind is released', async () => {
  using project = await createRepository()
  await tutti(project.root, ['start'])
  const lock = join(project.root, '.tdd/state.json.lock')
  // No process has this number: the limit of every system we run on is lower.
  project.write('.tdd/state.json.lock', '4194305')
  const past = new Date(Date.now() - 2000)
  utimesSync(lock, past, past)
  expect(await tutti(project.root, ['red', 'cart'])).toMatchObject({ code: 0 })
  expect(existsSync(lock)).toBe(false)
  expect(readState(project.root).packages['.']).toMatchObject({ phase: 'RED', feature: 'cart' })
})

test('GREEN outside RED and REFACTOR outside GREEN are refused with the reason', async () => {
  using project = await createRepository()
  const refused = async (args: string[], reason: string) =>
    expect(await tutti(project.root, args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(reason),
    })
  await refused(['green', 'cart'], 'GREEN follows RED')
  await tutti(project.root, ['red', 'cart'])
  await refused(['refactor'], 'REFACTOR follows GREEN')
  await tutti(project.root, ['green'])
  await refused(['green'], 'GREEN already')
  await tutti(project.root, ['refactor'])
  await refused(['green'], 'the phase is REFACTOR')
  expect(await tutti(project.root, ['red', 'next'])).toMatchObject({ code: 0 })
})

test('a folder without git or with an empty repository works', async () => {
  using bare = createFolder({ 'src/cart.ts': '' })
  using empty = await createRepository({ 'src/cart.ts': '' })
  for (const { root } of [bare, empty]) {
    for (const args of [['start'], ['red', 'cart'], ['status'], ['validate']])
      expect(await tutti(root, args)).toMatchObject({ stderr: '' })
    expect((await ask(root, writing('src/cart.ts'))).answer).toMatchObject({ continue: false })
  }
})

test('usage errors at the terminal are reported in one line', async () => {
  using project = createFolder()
  for (const [args, reason] of [
    [['blue'], 'No command blue'],
    [['status', '--nope'], 'nope'],
    [['status', 'words'], 'takes no words'],
    [['init', '--agent', 'clippy'], 'No assistant named clippy'],
    [['run', '--report', 'none.xml'], 'No test report'],
  ] as const) {
    const { code, stderr, stdout } = await tutti(project.root, args)
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 1,
      stdout: '',
      lines: 1,
    })
    expect(stderr).toContain(reason)
  }
  expect((await tutti(project.root, [])).stdout).toContain('tutti-tdd keeps a coding assistant test-first')
  expect((await tutti(project.root, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('off suspends the rules of a session, on resumes them, stop ends it', async () => {
  using project = await createRepository({ 'tdd.config.yaml': 'team: { enforcementLevel: strict }\n' })
  const edit = async () => (await ask(project.root, writing('src/cart.ts'))).answer
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  expect(await edit()).toMatchObject({ continue: false })

  expect(await tutti(project.root, ['off'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('tutti-tdd on'),
  })
  expect(await edit()).toEqual({ continue: true })
  project.write('src/cart.ts', 'export {}\n')
  expect((await tutti(project.root, ['validate'])).code).toBe(0)
  expect((await tutti(project.root, ['status'])).stdout).toMatch(
    /Level: +off, suspended since .*tutti-tdd on/,
  )
  expect((await tutti(project.root, ['doctor'])).stdout).toMatch(/^· .*suspended since .*tutti-tdd on/m)

  expect(await tutti(project.root, ['on'])).toMatchObject({ code: 0 })
  expect(await edit()).toMatchObject({ continue: false })
  expect((await tutti(project.root, ['validate'])).code).toBe(1)

  expect(await tutti(project.root, ['stop'])).toMatchObject({ code: 0 })
  expect((await tutti(project.root, ['status'])).stdout).toMatch(/Phase: +unknown[\s\S]*no session started/)
  expect(await edit()).toMatchObject({ continue: true })
  expect((await tutti(project.root, ['green'])).stderr).toContain('GREEN follows RED')
})

test('a new session is never suspended, and the slash commands do the same', async () => {
  using project = await createRepository()
  const prompt = async (text: string) => {
    const { answer } = await ask(project.root, { event: 'UserPromptSubmit', prompt: text })
    return (answer as { context?: string }).context ?? ''
  }
  const edit = async () => (await ask(project.root, writing('src/cart.ts'))).answer
  await prompt('/tdd-start')
  await prompt('/tdd-red cart')
  expect(await prompt('/tdd-off')).toContain('[TDD] Enforcement is off')
  expect(await edit()).toEqual({ continue: true })
  expect(await prompt('hello')).toBe('')
  await prompt('/tdd-start')
  expect(await edit()).toMatchObject({ continue: false })
  await prompt('/tdd-off')
  expect(await prompt('/tdd-on')).toContain('[TDD] Enforcement is on')
  expect(await edit()).toMatchObject({ continue: false })
  expect(await prompt('/tdd-stop')).toMatch(/Phase: unknown.*\[TDD\] Session ended/)
})

test('proofs outlive the session', async () => {
  using project = await createRepository({ 'src/cart.ts': 'export {}\n' })
  await project.git('add', '.')
  await project.git('commit', '-qm', 'start')
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  project.write(
    'report.xml',
    '<testsuites><testsuite name="s"><testcase name="adds"><failure/></testcase></testsuite></testsuites>',
  )
  await tutti(project.root, ['run', '--report', 'report.xml'])
  await tutti(project.root, ['green'])
  project.write('src/cart.ts', 'export const total = 1\n')
  await tutti(project.root, ['stop'])
  expect((await tutti(project.root, ['validate'])).stdout).toContain('Nothing against the workflow')
})
