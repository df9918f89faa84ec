import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRepository, type TestProject } from './support/project.ts'
import { buildTool, runProgram, tutti } from './support/tool.ts'

beforeAll(buildTool)

/** Writes a program that runs in `sh`. */
function writeProgram(project: TestProject, path: string, script: string): void {
  project.write(path, `#!/bin/sh\n${script}\n`)
  chmodSync(join(project.root, path), 0o755)
}

/** Answers `-m pytest` like a Python in which pytest is installed, and says which interpreter it was. */
const pytest = `for last; do :; done
case "$*" in *--version*) echo "pytest 9.0.3"; exit 0 ;; esac
echo "run by $0"
report=$(printf '%s' "$last" | sed 's/^--junitxml=//')
echo '<testsuites><testsuite name="s"><testcase name="adds"><failure/></testcase></testsuite></testsuites>' > "$report"
exit 1`
const noPytest = 'echo "$0: No module named pytest" >&2; exit 1'

/** A Python project, and an environment whose PATH has these programs and little else. */
async function pythonProject(programs: Readonly<Record<string, string>>) {
  const project = await createRepository({ 'pyproject.toml': '' })
  mkdirSync(join(project.root, 'bin'))
  for (const name of ['sh', 'git', 'sed']) {
    const { stdout } = await runProgram('sh', ['-c', `command -v ${name}`], { cwd: project.root })
    symlinkSync(stdout.trim(), join(project.root, 'bin', name))
  }
  for (const [path, script] of Object.entries(programs)) writeProgram(project, path, script)
  const env = { PATH: join(project.root, 'bin'), VIRTUAL_ENV: undefined as string | undefined }
  return { project, env }
}

test.each([
  ['python3 alone', { 'bin/python3': pytest }, 'python3'],
  ['python alone', { 'bin/python': pytest }, 'python'],
  ['both', { 'bin/python3': pytest, 'bin/python': noPytest }, 'python3'],
  [
    'a virtual environment in the project',
    { '.venv/bin/python': pytest, 'bin/python3': noPytest },
    '.venv/bin/python',
  ],
])('with %s, the tests run with an existing interpreter that doctor has tried', async (...row) => {
  const [, programs, python] = row
  const { project, env } = await pythonProject(programs)
  using _ = project
  await tutti(project.root, ['red', 'cart'], { env })
  const { stdout } = await tutti(project.root, ['run'], { env })
  expect(stdout).toContain(`$ ${python} -m pytest`)
  expect(stdout).toContain('RED is proven')
  expect((await tutti(project.root, ['doctor'], { env })).stdout).toMatch(
    new RegExp(`^✓ tests: ${python} -m pytest .*pytest 9\\.0\\.3`, 'm'),
  )
})

test('the active virtual environment takes precedence over the one in the project', async () => {
  const { project, env } = await pythonProject({
    '.venv/bin/python': noPytest,
    'my env/bin/python': pytest,
  })
  using _ = project
  env.VIRTUAL_ENV = join(project.root, 'my env')
  await tutti(project.root, ['red', 'cart'], { env })
  expect((await tutti(project.root, ['run'], { env })).stdout).toMatch(/run by .*my env\/bin\/python/)
})

test('doctor shows a test command that cannot run, and how to fix it', async () => {
  const { project, env } = await pythonProject({ 'bin/python3': noPytest })
  using _ = project
  const broken = await tutti(project.root, ['doctor'], { env })
  expect(broken).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^✗ tests: python3 -m pytest .*No module named pytest.*python3 -m pip install pytest/m,
    ),
  })
  project.write('tdd.config.yaml', 'testing: { command: "no-such-runner --all" }\n')
  expect((await tutti(project.root, ['doctor'], { env })).stdout).toMatch(
    /^✗ tests: no-such-runner --all .*no-such-runner is not found.*testing\.command/m,
  )
  const run = await tutti(project.root, ['run'], { env })
  expect(run).toMatchObject({ code: 127, stderr: expect.stringContaining('tutti-tdd doctor') })
})

test('doctor resolves the programs of Node packages like npx', async () => {
  using project = await createRepository({ 'package.json': '{"devDependencies":{"vitest":"1"}}' })
  expect((await tutti(project.root, ['doctor'])).stdout).toMatch(
    /^✗ tests: npx vitest run .*npm install --save-dev vitest/m,
  )
  writeProgram(project, 'node_modules/.bin/vitest', 'echo vitest/1.2.3')
  expect((await tutti(project.root, ['doctor'])).stdout).toMatch(
    /^✓ tests: npx vitest run .*vitest\/1\.2\.3/m,
  )
})

test.each([
  ['pom.xml', {}, 'mvn -q test'],
  ['pom.xml', { mvnw: 'exit 0' }, './mvnw -q test'],
  ['build.gradle', {}, 'gradle test'],
  ['build.gradle', { gradlew: 'exit 0' }, './gradlew test'],
] as const)('%s with %j is tested with %s', async (manifest, wrapper, command) => {
  using project = await createRepository({ [manifest]: '' })
  for (const [path, script] of Object.entries(wrapper)) writeProgram(project, path, script)
  expect((await tutti(project.root, ['doctor'])).stdout).toContain(`tests: ${command}`)
})
