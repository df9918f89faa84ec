import { expect, test } from 'vitest'
import { classify } from '../../classify/classify.ts'
import { greenHolds, proofOfGreen, proofOfRed } from '../run-evidence.ts'
import { readCompileErrors } from './compile-errors.ts'
import { readTestReport } from './read-report.ts'

const root = '/project'
const isTest = (path: string): boolean => classify({ path, package: '.', pathInPackage: path }) === 'test'

/**
 * The output of a compiler about a test, the suite that failed because of it, and a report of a run in which the test passes.
 */
const compilers: readonly (readonly [string, string, string, string])[] = [
  [
    'Rust, an integration test',
    'shop::cart',
    'error[E0425]: cannot find function `total`\n --> tests/cart.rs:2:30\nerror: could not compile `shop` (test "cart") due to 1 previous error',
    '<testsuites><testsuite name="shop::cart"><testcase name="adds" classname="shop::cart"/></testsuite></testsuites>',
  ],
  [
    'Rust, tests inside the file',
    'shop',
    'error[E0425]: cannot find function `total`\n --> src/lib.rs:3:51\nerror: could not compile `shop` (lib test) due to 1 previous error',
    '<testsuites><testsuite name="shop"><testcase name="tests::adds" classname="shop"/></testsuite></testsuites>',
  ],
  [
    'Java with Maven',
    'src/test/java/shop/CartTest.java',
    '[ERROR] COMPILATION ERROR : \n[ERROR] /project/src/test/java/shop/CartTest.java:[9,20] cannot find symbol',
    '<testsuite name="shop.CartTest"><testcase name="adds" classname="shop.CartTest"/></testsuite>',
  ],
  [
    'Java with Gradle',
    'src/test/java/shop/CartTest.java',
    '> Task :compileTestJava FAILED\n/project/src/test/java/shop/CartTest.java:9: error: cannot find symbol',
    '<testsuite name="shop.CartTest"><testcase name="adds" classname="shop.CartTest"/></testsuite>',
  ],
  [
    'Kotlin',
    'src/test/kotlin/CartTest.kt',
    'e: file:///project/src/test/kotlin/CartTest.kt:9:20 Unresolved reference: total',
    '<testsuite name="CartTest"><testcase name="adds" classname="CartTest"/></testsuite>',
  ],
  [
    'TypeScript',
    'test/cart.test.ts',
    "test/cart.test.ts(3,10): error TS2305: Module '../src/cart' has no exported member 'total'.",
    'TAP version 13\nok 1 - adds\n1..1',
  ],
  [
    'TypeScript in colours',
    'test/cart.test.ts',
    '\u001b[96mtest/cart.test.ts\u001b[0m:\u001b[93m3\u001b[0m:\u001b[93m10\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2305: \u001b[0mno total',
    'TAP version 13\nok 1 - adds\n1..1',
  ],
  [
    'C#',
    'Shop.Tests/CartTests.cs',
    "/project/Shop.Tests/CartTests.cs(9,20): error CS0103: The name 'Total' does not exist [/project/Shop.Tests/Shop.Tests.csproj]",
    '<testsuites><testsuite name="Shop.Tests.dll"><testcase name="Adds" classname="Shop.Tests.CartTests"/></testsuite></testsuites>',
  ],
  [
    'Swift',
    'Tests/ShopTests/CartTests.swift',
    "/project/Tests/ShopTests/CartTests.swift:9:20: error: cannot find 'total' in scope",
    '<testsuites><testsuite name="TestResults"><testcase name="testAdds" classname="ShopTests.CartTests"/></testsuite></testsuites>',
  ],
  [
    'C++',
    'tests/cart_test.cpp',
    "/project/tests/cart_test.cpp:9:20: error: 'total' was not declared in this scope",
    '<testsuites><testsuite name="Cart"><testcase name="Adds" classname="Cart"/></testsuite></testsuites>',
  ],
]

test.each(compilers)('%s: a test that does not compile fails its suite until it passes', (...row) => {
  const [, suite, printed, passed] = row
  const report = readCompileErrors(`before\n${printed}\nafter\n`, root, isTest)
  expect(report).toEqual({ tool: 'compiler', results: [], failedSuites: [suite] })
  const red = proofOfRed(report === undefined ? [] : [report], {}, '')
  const later = readTestReport(passed, { root })
  expect(greenHolds(proofOfGreen(red, later === undefined ? [] : [later], {}, ''))).toBe(true)
  expect(greenHolds(proofOfGreen(red, [], {}, ''))).toBe(false)
})

test.each([
  'src/main/java/Cart.java:9: error: cannot find symbol',
  'src/cart.ts(3,10): error TS2305: no total',
  'error: could not compile `shop` (lib) due to 1 previous error\nerror: could not compile `shop` (lib test) due to 1 previous error',
  'src/cart_test.cpp:9:20: warning: unused variable',
  `${'x'.repeat(100_000)}cart_test.cpp:9:20: error: far too long`,
  'all is well',
])('%.60s: code that does not compile, and unrelated lines, fail no suite', (printed) => {
  expect(readCompileErrors(printed, root, isTest)).toBeUndefined()
})

const runOf = (name: string) => {
  const assertionResults = [{ title: 'a', status: 'passed' }]
  const testResults = [{ name: `/project/${name}`, status: 'passed', assertionResults }]
  const report = readTestReport(JSON.stringify({ testResults }), { root })
  return report === undefined ? [] : [report]
}

test('a report with file names lists the files that ran', () => {
  const red = proofOfRed([{ tool: 'compiler', results: [], failedSuites: ['test/cart.test.ts'] }], {}, '')
  expect(proofOfGreen(red, runOf('test/other.test.ts'), {}, '').missing).toEqual(['test/cart.test.ts'])
  expect(proofOfGreen(red, runOf('test/cart.test.ts'), {}, '').missing).toEqual([])
})
