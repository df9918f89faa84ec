import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRepository, type TestProject } from './support/project.ts'
import { ask, buildTool, tutti } from './support/tool.ts'

beforeAll(buildTool)

/** A project in REFACTOR; its session makes it strict. */
async function inRefactor(
  config: string,
  files: Readonly<Record<string, string>> = {},
): Promise<TestProject> {
  const project = await createRepository({ 'tdd.config.yaml': config, ...files })
  for (const command of ['start', 'red', 'green', 'refactor']) await tutti(project.root, [command])
  return project
}

const lint = `import { existsSync } from 'node:fs'
console.log('linting')
if (existsSync('unclean.txt')) {
  console.error('src/cart.ts:3 unused variable')
  process.exitCode = 2
}
`

test('validate lints in REFACTOR: a failure is a violation, a pass is evidence', async () => {
  using project = await inRefactor('testing: { lintCommand: node lint.config.mjs }', {
    'lint.config.mjs': lint,
    'unclean.txt': '',
  })
  const failing = await tutti(project.root, ['validate', '--json'])
  expect(failing.code).toBe(1)
  expect(JSON.parse(failing.stdout)).toMatchObject({
    violations: [
      {
        rule: 'lint-failing',
        package: '.',
        message: expect.stringMatching(/node lint\.config\.mjs ended with 2: .*unused variable/),
      },
    ],
  })
  expect((await tutti(project.root, ['status'])).stdout).toMatch(/Evidence: .*; lint fails/)
  const prompt = await ask(project.root, { event: 'UserPromptSubmit', prompt: '/tdd-validate' })
  expect((prompt.answer as { context: string }).context).toContain('lint-failing')

  rmSync(join(project.root, 'unclean.txt'))
  const passing = await tutti(project.root, ['validate'])
  expect(passing.stdout).toContain('Nothing against the workflow')
  expect((await tutti(project.root, ['status'])).stdout).toMatch(/Evidence: .*; lint passes/)
})

test('before REFACTOR nothing is linted', async () => {
  using project = await createRepository({
    'tdd.config.yaml': 'testing: { lintCommand: node lint.config.mjs }',
    'lint.config.mjs': lint,
    'unclean.txt': '',
  })
  await tutti(project.root, ['red'])
  expect((await tutti(project.root, ['validate'])).stdout).not.toContain('lint-failing')
})

test('a linter that hangs is stopped, and a missing one is named: neither is evidence', async () => {
  using slow = await inRefactor('testing: { timeout: 1000, lintCommand: sleep 60 }')
  const ended = await tutti(slow.root, ['validate'])
  expect(ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('lint: sleep 60 was ended after 1000 ms'),
  })
  using missing = await inRefactor('testing: { lintCommand: no-such-linter }')
  expect(await tutti(missing.root, ['validate'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('lint: no-such-linter cannot run: no-such-linter is not found'),
  })
  expect((await tutti(missing.root, ['doctor'])).stdout).toMatch(
    /^✗ lint: no-such-linter .*testing\.lintCommand/m,
  )
})
