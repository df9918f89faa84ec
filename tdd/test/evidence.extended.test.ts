import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createRepository, type TestProject } from './support/project.ts'
import { buildTool, tutti } from './support/tool.ts'

beforeAll(buildTool)

const cartTest = `import assert from 'node:assert'
import { test } from 'node:test'
test('adds up', async () => {
  const { total } = await import('./cart.mjs')
  assert.equal(total([1, 2]), 3)
})
`

/** A project with Node's own test runner, in RED. */
async function createShop(): Promise<TestProject> {
  const project = await createRepository({
    'package.json': '{"scripts":{"test":"node --test"}}',
    'src/cart.mjs': 'export const total = () => 0\n',
    'src/cart.test.mjs': cartTest,
  })
  await tutti(project.root, ['start'])
  await tutti(project.root, ['red', 'totals'])
  return project
}

const statusOf = async (root: string) =>
  JSON.parse((await tutti(root, ['status', '--json'])).stdout) as {
    evidence: { redProven: boolean; failing: string[]; greenHolds?: boolean }
    compliance: { value?: number }
    quality: { value?: number; parts: { name: string; value: number }[] }
  }

test('a full cycle with a real test runner: proven RED, held GREEN, kept REFACTOR', async () => {
  using project = await createShop()
  const red = await tutti(project.root, ['run'])
  expect(red).toMatchObject({ code: 1, stdout: expect.stringContaining('RED is proven.') })
  expect((await statusOf(project.root)).evidence).toMatchObject({
    redProven: true,
    failing: [expect.stringContaining('adds up')],
  })

  await tutti(project.root, ['green'])
  const failing = await tutti(project.root, ['run'])
  expect(failing).toMatchObject({ code: 1, stdout: expect.stringContaining('GREEN does not hold') })
  expect((await tutti(project.root, ['validate'])).stdout).toContain('green-not-held')

  project.write(
    'src/cart.mjs',
    'export const total = (prices) => prices.reduce((sum, price) => sum + price, 0)\n',
  )
  const green = await tutti(project.root, ['run'])
  expect(green).toMatchObject({ code: 0, stdout: expect.stringContaining('GREEN holds') })
  expect((await statusOf(project.root)).evidence.greenHolds).toBe(true)

  await tutti(project.root, ['refactor'])
  expect((await tutti(project.root, ['run'])).stdout).toContain('REFACTOR holds')
  expect((await statusOf(project.root)).quality.parts).toContainEqual({ name: 'tests', value: 100 })
})

test('GREEN does not hold when the test was changed to pass', async () => {
  using project = await createShop()
  await tutti(project.root, ['run'])
  await tutti(project.root, ['green'])
  project.write('src/cart.test.mjs', cartTest.replace(', 3)', ', 0)'))
  const { stdout } = await tutti(project.root, ['run'])
  expect(stdout).toContain('src/cart.test.mjs changed since RED')
  expect((await tutti(project.root, ['validate'])).stdout).toMatch(
    /green-not-held.*changed since RED: src\/cart\.test\.mjs/,
  )
})

test('GREEN does not hold when the failing test was not run', async () => {
  using project = await createShop()
  await tutti(project.root, ['run'])
  await tutti(project.root, ['green'])
  project.write(
    'other.xml',
    '<testsuites><testsuite name="s"><testcase name="other" classname="o"/></testsuite></testsuites>',
  )
  expect((await tutti(project.root, ['run', '--report', 'other.xml'])).stdout).toContain('did not run')
})

test('RED without a failing test is known, and GREEN after it is a violation', async () => {
  using project = await createShop()
  project.write('src/cart.mjs', 'export const total = () => 3\n')
  expect((await tutti(project.root, ['run'])).stdout).toContain('RED is not proven: no test fails')
  const green = await tutti(project.root, ['green'])
  expect(green.stdout).toContain('No run has shown a failing test yet')
  expect((await tutti(project.root, ['validate', '--json'])).stdout).toContain('red-not-proven')
})

test('a non-zero exit code alone proves nothing', async () => {
  using project = await createRepository({
    'tdd.config.yaml': 'testing: { command: "echo No test files found; exit 1" }',
  })
  await tutti(project.root, ['red', 'cart'])
  const { code, stderr } = await tutti(project.root, ['run'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('alone is no evidence') })
  expect((await statusOf(project.root)).evidence.redProven).toBe(false)
})

test('the team command writes its report to the requested path, and gets the arguments after --', async () => {
  using project = await createRepository({
    'tdd.config.yaml': 'testing: { command: "node fake.mjs {report}" }',
    'fake.mjs': `import { writeFileSync } from 'node:fs'
console.log(JSON.stringify(process.argv.slice(3)))
const assertionResults = [{ ancestorTitles: ['cart'], title: 'adds up', status: 'failed' }]
writeFileSync(process.argv[2], JSON.stringify({ testResults: [{ name: process.cwd() + '/src/cart.test.ts', status: 'failed', assertionResults }] }))
process.exitCode = 1
`,
  })
  await tutti(project.root, ['red', 'cart'])
  const { stdout } = await tutti(project.root, ['run', '--', '-t', 'adds up', "it's"])
  expect(stdout).toContain(`["-t","adds up","it's"]`)
  expect(stdout).toContain('failing: src/cart.test.ts > cart > adds up')
  expect(stdout).toContain('RED is proven')
})

test('a file that cannot be loaded is a weak proof, and is reported as such', async () => {
  using project = await createRepository()
  await tutti(project.root, ['red', 'cart'])
  project.write(
    'report.json',
    JSON.stringify({ testResults: [{ name: 'src/cart.test.ts', status: 'failed', assertionResults: [] }] }),
  )
  expect((await tutti(project.root, ['run', '--report', 'report.json'])).stdout).toContain(
    'RED is proven, weakly',
  )
})

test('reports of earlier runs are ignored', async () => {
  using project = await createRepository({
    'tdd.config.yaml': 'testing: { command: "true", reports: ["reports/*.xml"] }',
    'reports/old.xml':
      '<testsuites><testsuite name="s"><testcase name="a"><failure/></testcase></testsuite></testsuites>',
  })
  const past = new Date(Date.now() - 60_000)
  utimesSync(join(project.root, 'reports/old.xml'), past, past)
  await tutti(project.root, ['red', 'cart'])
  expect((await tutti(project.root, ['run'])).stderr).toContain('No report I can read')
})

test('coverage is shown while it is newer than the code, and unknown afterwards', async () => {
  using project = await createShop()
  project.write('coverage/lcov.info', 'SF:src/cart.mjs\nDA:1,1\nDA:2,0\nend_of_record\n')
  const past = new Date(Date.now() - 60_000)
  utimesSync(join(project.root, 'src/cart.mjs'), past, past)
  expect((await tutti(project.root, ['status'])).stdout).toContain('Coverage:   50% of 95% wanted')
  expect((await tutti(project.root, ['validate'])).stdout).toContain(
    'coverage-below-threshold: coverage is 50%',
  )
  project.write('tdd.config.yaml', 'testing: { coverageThreshold: 50 }')
  expect((await tutti(project.root, ['validate'])).stdout).not.toContain('coverage-below-threshold')
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(project.root, 'src/cart.mjs'), later, later)
  expect((await tutti(project.root, ['status'])).stdout).toContain(
    'unknown of 50% wanted (src/cart.mjs is newer',
  )
})

test.each([
  [
    'Go 1.19',
    'cart_test.go',
    '# shop [shop.test]\n./cart_test.go:5:2: undefined: Total\nFAIL\tshop [build failed]',
    '{"Action":"pass","Package":"shop","Test":"TestTotal"}',
  ],
  [
    'Java with Maven',
    'src/test/java/shop/CartTest.java',
    '[ERROR] COMPILATION ERROR : \n[ERROR] {root}/src/test/java/shop/CartTest.java:[9,20] cannot find symbol',
    '<testsuite name="shop.CartTest"><testcase name="adds" classname="shop.CartTest"/></testsuite>',
  ],
])('a test that does not compile proves RED, and GREEN holds once it passes: %s', async (...row) => {
  const [, testFile, printed, passed] = row
  using project = await createRepository({
    [testFile]: '',
    'tdd.config.yaml': 'testing: { command: "cat output >&2; grep ^FAIL output; cat passed 2>/dev/null" }',
  })
  project.write('output', printed.replaceAll('{root}', project.root))
  await tutti(project.root, ['red', 'total'])
  expect((await tutti(project.root, ['run'])).stdout).toContain('RED is proven, weakly')
  await tutti(project.root, ['green'])
  expect((await tutti(project.root, ['run'])).stdout).toContain('GREEN does not hold')
  project.write('output')
  project.write('passed', passed)
  expect((await tutti(project.root, ['run'])).stdout).toContain('GREEN holds')
})
