import { renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRepository, type TestProject } from './support/project.ts'
import { buildTool, tutti } from './support/tool.ts'

beforeAll(buildTool)

interface Answer {
  readonly valid: boolean
  readonly violations: readonly {
    rule: string
    path?: string
    package: string
    message: string
    next: string
  }[]
  readonly notices: readonly string[]
}

/** A repository with one commit: a cart and its test. */
async function createShop(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const project = await createRepository({
    'package.json': '{}',
    'src/cart.ts': 'export const total = 0\n',
    'src/cart.test.ts': "test('adds', () => {})\n",
    ...files,
  })
  await project.git('add', '.')
  await project.git('commit', '-qm', 'start')
  return project
}

async function validate(
  root: string,
  ...flags: string[]
): Promise<{ answer: Answer; code: number | null; rules: string[] }> {
  const { stdout, code } = await tutti(root, ['validate', '--json', ...flags])
  const answer = JSON.parse(stdout) as Answer
  return {
    answer,
    code,
    rules: answer.violations.map(({ rule, path }) => (path === undefined ? rule : `${rule} ${path}`)),
  }
}

test('new code without a test fails a strict commit, and passes with one', async () => {
  using project = await createShop()
  project.write('src/total.ts', 'export {}\n')
  await project.git('add', '.')
  const without = await validate(project.root, '--strict', '--pre-commit')
  expect(without).toMatchObject({
    code: 1,
    rules: ['new-code-without-test src/total.ts'],
    answer: { valid: false },
  })
  expect(without.answer.violations[0]).toMatchObject({
    package: '.',
    next: expect.stringContaining('/tdd-red'),
  })
  project.write('src/total.test.ts', "test('totals', () => {})\n")
  await project.git('add', '.')
  expect(await validate(project.root, '--strict', '--pre-commit')).toMatchObject({ code: 0, rules: [] })
})

test('without --strict the exit code follows the level of the team', async () => {
  using project = await createShop({ 'src/new.ts': '' })
  project.write('src/total.ts', 'export {}\n')
  expect(await validate(project.root)).toMatchObject({
    code: 0,
    rules: ['new-code-without-test src/total.ts'],
  })
  project.write('tdd.config.yaml', 'team: { enforcementLevel: strict }\n')
  expect(await validate(project.root)).toMatchObject({ code: 1 })
  project.write('tdd.config.yaml', 'team: { enforcementLevel: off }\n')
  expect(await validate(project.root)).toMatchObject({ code: 0 })
  expect(await validate(project.root, '--strict')).toMatchObject({ code: 1 })
})

test('a code change needs a changed test, or a test that failed before', async () => {
  using project = await createShop()
  project.write('src/cart.ts', 'export const total = 1\n')
  await project.git('add', '.')
  expect((await validate(project.root, '--pre-commit')).rules).toEqual(['change-without-test src/cart.ts'])
  await tutti(project.root, ['red', 'cart'])
  project.write(
    'report.xml',
    '<testsuites><testsuite name="s"><testcase name="adds"><failure/></testcase></testsuite></testsuites>',
  )
  await tutti(project.root, ['run', '--report', 'report.xml'])
  rmSync(join(project.root, 'report.xml'))
  await tutti(project.root, ['green'])
  expect((await validate(project.root, '--pre-commit')).rules).toEqual([])
})

test('code staged in RED fails', async () => {
  using project = await createShop()
  await tutti(project.root, ['red', 'cart'])
  project.write('src/cart.ts', 'export const total = 1\n')
  project.write('src/cart.test.ts', "test('more', () => {})\n")
  await project.git('add', '.')
  expect((await validate(project.root, '--pre-commit')).rules).toEqual(['implementation-in-red src/cart.ts'])
})

test('tests that are removed or disabled while code changes are named', async () => {
  using project = await createShop({ 'src/other.test.ts': "test('b', () => {})\n" })
  project.write('src/cart.ts', 'export const total = 1\n')
  project.write('src/cart.test.ts', "test.skip('adds', () => {})\n")
  rmSync(join(project.root, 'src/other.test.ts'))
  await project.git('add', '.')
  const { rules, answer } = await validate(project.root, '--pre-commit')
  expect(rules).toEqual(['test-skipped src/cart.test.ts', 'test-removed src/other.test.ts'])
  expect(answer.violations[0]?.message).toContain("test.skip('adds'")
})

test('tests alone, documents and pure renames are no violation', async () => {
  using project = await createShop()
  project.write('README.md', 'hello\n')
  rmSync(join(project.root, 'src/cart.test.ts'))
  renameSync(join(project.root, 'src/cart.ts'), join(project.root, 'src/basket.ts'))
  await project.git('add', '-A')
  expect((await validate(project.root, '--strict', '--pre-commit')).rules).toEqual([])
})

test('a rename with changes is a change', async () => {
  using project = await createShop({ 'src/long.ts': 'const line = 1\n'.repeat(30) })
  rmSync(join(project.root, 'src/long.ts'))
  project.write('src/renamed.ts', `${'const line = 1\n'.repeat(30)}const more = 2\n`)
  await project.git('add', '-A')
  expect((await validate(project.root, '--pre-commit')).rules).toEqual(['change-without-test src/renamed.ts'])
})

test('merges and reverts are skipped', async () => {
  using project = await createShop()
  await project.git('checkout', '-qb', 'side')
  project.write('src/side.ts', 'export {}\n')
  await project.git('add', '.')
  await project.git('commit', '-qm', 'side')
  await project.git('checkout', '-q', 'main')
  project.write('notes.md', 'x\n')
  await project.git('add', '.')
  await project.git('commit', '-qm', 'notes')
  await project.git('merge', '-q', '--no-commit', '--no-ff', 'side')
  const { rules, answer } = await validate(project.root, '--strict', '--pre-commit')
  expect(rules).toEqual([])
  expect(answer.notices).toEqual([expect.stringContaining('merge')])
})

test('each package is validated alone', async () => {
  using project = await createShop({ 'packages/a/package.json': '{}', 'packages/b/package.json': '{}' })
  project.write('packages/a/src/a.ts', 'export {}\n')
  project.write('packages/b/src/b.test.ts', 'export {}\n')
  await project.git('add', '.')
  const { answer } = await validate(project.root, '--pre-commit')
  expect(answer.violations).toMatchObject([{ rule: 'new-code-without-test', package: 'packages/a' }])
})

test('a first commit, a folder without git, and names with spaces and quotes are read', async () => {
  using first = await createRepository({ 'src/a "b" ü.ts': 'export {}\n' })
  await first.git('add', '.')
  expect((await validate(first.root, '--pre-commit')).rules).toEqual(['new-code-without-test src/a "b" ü.ts'])
  expect((await validate(first.root)).rules).toEqual(['new-code-without-test src/a "b" ü.ts'])
  rmSync(join(first.root, '.git'), { recursive: true })
  const { answer, code } = await validate(first.root, '--strict', '--pre-commit')
  expect({ code, notices: answer.notices }).toEqual({
    code: 0,
    notices: [expect.stringContaining('git cannot tell')],
  })
})

test('coverage below the threshold fails, and coverage of older code is unknown', async () => {
  using project = await createShop({ '.gitignore': 'coverage\n' })
  const past = new Date(Date.now() - 60_000)
  utimesSync(join(project.root, 'src/cart.ts'), past, past)
  project.write(
    'coverage/coverage-summary.json',
    JSON.stringify({ total: { lines: { total: 100, covered: 94 } } }),
  )
  expect((await validate(project.root, '--strict', '--pre-commit')).rules).toEqual([
    'coverage-below-threshold coverage/coverage-summary.json',
  ])
  project.write('src/cart.ts', 'export const total = 1\n')
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(project.root, 'src/cart.ts'), later, later)
  const { rules, answer } = await validate(project.root, '--pre-commit')
  expect(rules).toEqual([])
  expect(answer.notices).toEqual([expect.stringContaining('src/cart.ts is newer')])
})
