import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRepository } from './support/project.ts'
import { ask, buildTool, tutti, writing } from './support/tool.ts'

beforeAll(buildTool)

const contextOf = ({ answer }: { answer: unknown }): string => (answer as { context?: string }).context ?? ''

/** A started project in RED with this configuration. */
async function inRed(config: string, files: Readonly<Record<string, string>> = {}) {
  const project = await createRepository({ 'tdd.config.yaml': config, ...files })
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'cart'])
  return project
}

test('the status line shows project.type, else the language, else the manifest', async () => {
  const prompt = { event: 'UserPromptSubmit', prompt: 'hi' }
  const manifest = { 'go.mod': 'module shop\n' }
  using typed = await inRed('project: { type: web-shop, language: go }', manifest)
  expect(contextOf(await ask(typed.root, prompt))).toMatch(/Type: web-shop$/)
  using language = await inRed('project: { language: golang }', manifest)
  expect(contextOf(await ask(language.root, prompt))).toMatch(/Type: golang$/)
  using found = await inRed('', manifest)
  expect(contextOf(await ask(found.root, prompt))).toMatch(/Type: go$/)
})

test('project.framework selects the runner and its rules', async () => {
  using runner = await inRed('project: { framework: jest }', {
    'package.json': '{"devDependencies":{"vitest":"1"}}',
  })
  expect((await tutti(runner.root, ['doctor'])).stdout).toContain('npx jest --json')
  using django = await inRed('project: { framework: django }')
  expect((await ask(django.root, writing('shop/migrations/0001_initial.py'))).answer).toEqual({
    continue: true,
  })
  expect((await ask(django.root, writing('shop/models.py'))).answer).toMatchObject({ continue: false })
  using odd = await inRed('project: { framework: fancy }')
  expect((await tutti(odd.root, ['doctor'])).stdout).toContain(
    'fancy is shown in the status and changes no rule',
  )
})

test('project.language selects among several kinds of tests', async () => {
  const both = { 'package.json': '{"scripts":{"test":"vitest"}}', 'pyproject.toml': '' }
  using python = await inRed('project: { language: python }', both)
  expect((await tutti(python.root, ['doctor'])).stdout).toContain('-m pytest')
  using typescript = await inRed('project: { language: typescript }', both)
  expect((await tutti(typescript.root, ['doctor'])).stdout).toContain('npx vitest run')
})

test('testing.timeout ends a run and all its processes', async () => {
  // Enough for a busy machine to start it.
  using project = await inRed('testing: { timeout: 10000, command: "sleep 600 & echo $! > pid; wait" }')
  const { code, stderr } = await tutti(project.root, ['run'])
  expect({ code, stderr }).toEqual({
    code: 124,
    stderr: expect.stringContaining('ended after 10000 ms (testing.timeout)'),
  })
  const pid = Number(readFileSync(join(project.root, 'pid'), 'utf8'))
  await expect.poll(() => isAlive(pid)).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

test('tdd.enforceWorkflow false allows every step and every edit', async () => {
  using project = await createRepository({
    'tdd.config.yaml': 'tdd: { enforceWorkflow: false }\nteam: { enforcementLevel: strict }',
  })
  expect((await tutti(project.root, ['green', 'cart'])).code).toBe(0)
  expect((await tutti(project.root, ['red', 'cart'])).code).toBe(0)
  expect((await tutti(project.root, ['refactor'])).code).toBe(0)
  await tutti(project.root, ['red', 'cart'])
  expect(contextOf(await ask(project.root, writing('src/cart.ts')))).toContain('red-tests-only')
})

const failingReport =
  '<testsuites><testsuite name="s"><testcase name="adds"><failure/></testcase></testsuite></testsuites>'

test('team.enforcementLevel strict enables tdd.requireProvenRed: GREEN requires a test that failed before', async () => {
  using project = await createRepository({
    'tdd.config.yaml': 'team: { enforcementLevel: strict }',
    'report.xml': failingReport,
  })
  await tutti(project.root, ['red', 'cart'])
  const reason = 'no run in RED showed a failing test'
  expect(await tutti(project.root, ['green'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`${reason}.*tutti-tdd run.*tdd\\.requireProvenRed`)),
  })
  const slash = await ask(project.root, { event: 'UserPromptSubmit', prompt: '/tdd-green cart' })
  expect(contextOf(slash)).toMatch(/Phase: RED.*\/tdd-green refused/)
  await tutti(project.root, ['run', '--report', 'report.xml'])
  expect(await tutti(project.root, ['green'])).toMatchObject({ code: 0, stderr: '' })
})

test('with tdd.requireProvenRed, entering GREEN without a proof is a violation', async () => {
  using project = await inRed('')
  await tutti(project.root, ['green'])
  expect(await validationOf(project.root)).not.toContain('red-not-proven')
  project.write('tdd.config.yaml', 'tdd: { requireProvenRed: true }')
  expect(await validationOf(project.root)).toContain('red-not-proven')
})

const validationOf = async (root: string) => (await tutti(root, ['validate'])).stdout

test('tdd.requireTestFirst false requires no test', async () => {
  using strict = await createRepository({ 'tdd.config.yaml': '', 'src/cart.ts': 'export {}' })
  using loose = await createRepository({
    'tdd.config.yaml': 'tdd: { requireTestFirst: false }',
    'src/cart.ts': 'export {}',
  })
  expect(await validationOf(strict.root)).toContain('new-code-without-test')
  expect(await validationOf(loose.root)).toContain('Nothing against the workflow')
  expect(contextOf(await ask(strict.root, writing('src/cart.ts')))).toContain('test-first')
  expect((await ask(loose.root, writing('src/cart.ts'))).answer).toEqual({ continue: true })
})

test('team.enforcementLevel: strict blocks, warn adds context, off only observes', async () => {
  using strict = await inRed('team: { enforcementLevel: strict }')
  expect((await ask(strict.root, writing('src/cart.ts'))).answer).toMatchObject({ continue: false })
  using warn = await inRed('team: { enforcementLevel: warn }')
  expect(contextOf(await ask(warn.root, writing('src/cart.ts')))).toContain('red-tests-only')
  using off = await inRed('team: { enforcementLevel: off }')
  expect((await ask(off.root, writing('src/cart.ts'))).answer).toEqual({ continue: true })
  expect((await ask(off.root, { event: 'UserPromptSubmit', prompt: 'hi' })).answer).toEqual({
    continue: true,
  })
  expect(JSON.parse((await tutti(off.root, ['status', '--json'])).stdout)).toMatchObject({
    compliance: { value: 0 },
  })
})

test('files: the globs of the team decide', async () => {
  using project = await inRed('files: { test: [qa/**], neutral: ["**/*.css"] }')
  expect((await ask(project.root, writing('qa/login.ts'))).answer).toEqual({ continue: true })
  expect((await ask(project.root, writing('src/a.css'))).answer).toEqual({ continue: true })
  expect((await ask(project.root, writing('src/a.ts'))).answer).toMatchObject({ continue: false })
})

test('a changed configuration applies at once, and an unchanged one is read from its cache', async () => {
  using project = await inRed('team: { enforcementLevel: strict }')
  const cache = join(project.root, '.tdd/cache/config.json')
  expect(existsSync(cache)).toBe(true)
  const before = statSync(cache).ino
  await ask(project.root, writing('src/cart.ts'))
  expect(statSync(cache).ino).toBe(before)
  project.write('tdd.config.yaml', 'team: { enforcementLevel: off }')
  expect((await ask(project.root, writing('src/cart.ts'))).answer).toEqual({ continue: true })
  project.write('.tdd/cache/config.json', 'damaged')
  expect((await ask(project.root, writing('src/cart.ts'))).answer).toEqual({ continue: true })
})

test('an invalid configuration blocks nothing and is reported in one line', async () => {
  using project = await inRed('')
  project.write('tdd.config.yaml', 'team: [')
  const { answer, stderr } = await ask(project.root, writing('src/cart.ts'))
  expect(answer).toEqual({ continue: true })
  expect(stderr).toMatch(/^tutti-tdd: tdd\.config\.yaml line \d+: .*\n$/)
  expect(await tutti(project.root, ['status'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('line'),
  })
})

test('an invalid value is reported in the next prompt', async () => {
  using project = await inRed('team: { enforcementLevel: loud }')
  const context = contextOf(await ask(project.root, { event: 'UserPromptSubmit', prompt: 'hi' }))
  expect(context).toContain('team.enforcementLevel: expected one of strict, warn, off')
  expect((await ask(project.root, writing('src/cart.ts'))).answer).toMatchObject({ continue: false })
})
