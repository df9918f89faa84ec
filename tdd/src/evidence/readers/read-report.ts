import type { TestReport, TestResult } from '../test-report.ts'
import { isTestFileName, relativeFile } from './file-names.ts'
import { linesOf } from './lines.ts'
import { isObject, parseJsonObject } from './parse-json.ts'
import { parseTap } from './parse-tap.ts'
import { parseXml, type XmlElement } from './parse-xml.ts'
import { maxReportCharacters } from './report-size.ts'
import type { TapPoint } from './tap-lines.ts'

const weight = { skipped: 0, passed: 1, failed: 2 }

/** Keeps one result per id, the worst one: tests may share a name, and some tools report each attempt of a test. */
export function oneResultPerId(results: readonly TestResult[]): TestResult[] {
  const byId = new Map<string, TestResult>()
  for (const result of results) {
    const known = byId.get(result.id)
    if (known === undefined || weight[result.outcome] > weight[known.outcome]) byId.set(result.id, result)
  }
  return [...byId.values()]
}

const maxDepth = 64

/** The ids of the ancestors: for `a > b > c` they are `a` and `a > b`. */
function ancestorIds(id: string, separator: string): string[] {
  const ancestors: string[] = []
  let end = id.indexOf(separator)
  while (end !== -1 && ancestors.length < maxDepth) {
    ancestors.push(id.slice(0, end))
    end = id.indexOf(separator, end + separator.length)
  }
  return ancestors
}

/** Reads JUnit XML, the common format of vitest, node, pytest, Surefire, Gradle, PHPUnit and many more. */
export function readJunitXml(text: string, root: string): TestReport | undefined {
  const start = text.search(/^\uFEFF?<(?:\?xml|testsuites?)\b/m)
  if (start === -1 || !text.includes('<testsuite')) return undefined
  const document = parseXml(text.slice(start))
  if (document?.name !== 'testsuites' && document?.name !== 'testsuite') return undefined
  const results: TestResult[] = []
  const failedSuites: string[] = []
  visit(document, undefined)
  const groups = new Set(results.flatMap((result) => ancestorIds(result.id, ' > ')))
  // A failure under the name of a group belongs to the group itself: one of its hooks failed.
  const isGroup = (result: TestResult) => result.outcome === 'failed' && groups.has(result.id)
  const failedGroups = results.filter(isGroup).map((result) => result.id)
  return {
    tool: 'junit',
    results: oneResultPerId(results.filter((result) => !isGroup(result))),
    failedSuites: [...new Set([...failedSuites, ...failedGroups])],
  }

  function visit(suite: XmlElement, outerFile: string | undefined): void {
    const file = suite.attributes.get('file') || outerFile
    if (hasChild(suite, 'error', 'failure'))
      failedSuites.push(suite.attributes.get('name') ?? file ?? 'suite')
    for (const child of suite.children) {
      if (child.name === 'testsuite') visit(child, file)
      if (child.name === 'testcase') addCase(child, file)
    }
  }

  function addCase(testCase: XmlElement, suiteFile: string | undefined): void {
    const name = testCase.attributes.get('name') ?? ''
    const className = testCase.attributes.get('classname') ?? ''
    const fileGiven = testCase.attributes.get('file') || (isTestFileName(className) ? className : suiteFile)
    const file = fileGiven === undefined ? undefined : relativeFile(fileGiven, root)
    const outcome = outcomeOf(testCase)
    if (outcome === 'failed' && isLoadFailure(name, className, testCase)) {
      failedSuites.push(file ?? ((loadFailureNames.test(name) ? className : name) || 'suite'))
      return
    }
    const names = [file, className === fileGiven || className === name ? '' : className, name]
    results.push({ id: names.filter(Boolean).join(' > '), file, outcome })
  }
}

// The names that Surefire, JUnit 4, Gradle and the converters for Go give a class or package that could not run.
const loadFailureNames = /^(?:|initializationError|classMethod|\[(?:build|setup) failed\])$/

function isLoadFailure(name: string, className: string, testCase: XmlElement): boolean {
  // pytest reports a file that it could not collect as an error without a class.
  const isCollectionError = className === '' && hasChild(testCase, 'error')
  return loadFailureNames.test(name) || isTestFileName(name) || isCollectionError
}

function outcomeOf(testCase: XmlElement): TestResult['outcome'] {
  const { attributes } = testCase
  if (hasChild(testCase, 'skipped') || /^(?:notrun|disabled)$/.test(attributes.get('status') ?? ''))
    return 'skipped'
  return hasChild(testCase, 'failure', 'error') ? 'failed' : 'passed'
}

function hasChild(element: XmlElement, ...names: string[]): boolean {
  return element.children.some((child) => names.includes(child.name))
}

type GoTest = { package: string; name: string; outcome: TestResult['outcome'] | 'running' }

/** The line for a package that cannot be built; Go before 1.20 writes no event for it. */
const buildFailed = /^FAIL\t(\S+) \[(?:build|setup) failed\]$/

/** Reads `go test -json`: one event per line, possibly between lines of the compiler. */
export function readGoTestJson(text: string): TestReport | undefined {
  const tests = new Map<string, GoTest>()
  const failedPackages = new Set<string>()
  let sawEvent = false
  for (const line of linesOf(text)) {
    const event = line.startsWith('{') ? parseJsonObject(line) : undefined
    if (event === undefined) {
      const unbuilt = buildFailed.exec(line)?.[1]
      if (unbuilt !== undefined) failedPackages.add(unbuilt)
      continue
    }
    const { Action: action, Package: packageName, Test: name } = event
    if (typeof action !== 'string' || typeof packageName !== 'string') continue
    sawEvent = true
    if (typeof name !== 'string') {
      if (action === 'fail') failedPackages.add(packageName)
      continue
    }
    const outcome = outcomesByAction.get(action)
    if (outcome === undefined) continue
    const id = `${packageName} > ${name}`
    // With -count a test has several results: one failure is enough.
    if (tests.get(id)?.outcome !== 'failed') tests.set(id, { package: packageName, name, outcome })
  }
  if (!sawEvent && failedPackages.size === 0) return undefined
  return reportOf(tests, failedPackages)
}

const outcomesByAction = new Map<string, GoTest['outcome']>([
  ['run', 'running'],
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
])

function reportOf(tests: ReadonlyMap<string, GoTest>, failedPackages: ReadonlySet<string>): TestReport {
  const results: TestResult[] = []
  const explained = new Set<string>()
  for (const [id, test] of tests) {
    // A test that was running when its package failed ended the process.
    const outcome = test.outcome === 'running' && failedPackages.has(test.package) ? 'failed' : test.outcome
    if (outcome === 'running') continue
    if (outcome === 'failed') explained.add(test.package)
    results.push({ id, file: undefined, outcome })
  }
  const failed = results.filter((result) => result.outcome === 'failed')
  const parents = new Set(failed.flatMap((result) => ancestorIds(result.id, '/')))
  return {
    tool: 'go',
    // A test that failed only through its subtests is reported by them.
    results: results.filter((result) => result.outcome !== 'failed' || !parents.has(result.id)),
    failedSuites: [...failedPackages].filter((name) => !explained.has(name)),
  }
}

// TAP is tried last: it consists of plain lines, which messages inside the other formats may contain too.
const readers = [readVitestJson, readJunitXml, readGoTestJson, readTap]

/** Reads a test report in any known format; undefined for other text, and for text above the size limit. */
export function readTestReport(text: string, options: { root?: string } = {}): TestReport | undefined {
  if (text.length > maxReportCharacters) return undefined
  const root = options.root ?? process.cwd()
  for (const read of readers) {
    const report = read(text, root)
    if (report !== undefined) return report
  }
  return undefined
}

/** Reads `vitest --reporter=json` and `jest --json`, which share one format. */
export function readVitestJson(text: string, root: string): TestReport | undefined {
  const report = parseJsonObject(text)
  if (report === undefined || !Array.isArray(report['testResults'])) return undefined
  const results: TestResult[] = []
  const failedSuites: string[] = []
  for (const suite of report['testResults'] as unknown[]) {
    if (!isObject(suite)) return undefined
    const { name, status, assertionResults } = suite
    if (typeof name !== 'string' || !Array.isArray(assertionResults)) return undefined
    const file = relativeFile(name, root)
    const ofSuite = assertionResults.map((assertion: unknown) => resultOf(assertion, file))
    if (!ofSuite.every((result) => result !== undefined)) return undefined
    for (const result of ofSuite) results.push(result)
    // The file failed without a failing test: it did not load, or one of its hooks failed.
    if (status === 'failed' && !ofSuite.some((result) => result.outcome === 'failed')) failedSuites.push(file)
  }
  const tool = 'numRuntimeErrorTestSuites' in report ? 'jest' : 'vitest'
  return { tool, results: oneResultPerId(results), failedSuites: [...new Set(failedSuites)] }
}

function resultOf(assertion: unknown, file: string): TestResult | undefined {
  if (!isObject(assertion)) return undefined
  const { title, status } = assertion
  const ancestors: unknown = assertion['ancestorTitles'] ?? []
  if (typeof title !== 'string' || typeof status !== 'string' || !isNames(ancestors)) return undefined
  // All other states mean that the test did not run: skipped, pending, todo, disabled.
  const outcome = status === 'passed' || status === 'failed' ? status : 'skipped'
  return { id: [file, ...ancestors, title].join(' > '), file, outcome }
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

/** Reads the Test Anything Protocol, versions 12 to 14, as written by node, vitest, tap, bats and others. */
export function readTap(text: string, root: string): TestReport | undefined {
  const document = parseTap(text)
  if (document === undefined) return undefined
  const results: TestResult[] = []
  const failedSuites = document.endedEarly === undefined ? [] : [document.endedEarly]
  for (const point of document.points) {
    const [head = '', ...names] = point.name.split(' > ')
    if (!isTestFileName(head)) visit(point, [point.name], undefined, false)
    else {
      const file = relativeFile(head, root)
      visit(point, [file, ...names], file, names.length === 0)
    }
  }
  return { tool: 'tap', results: oneResultPerId(results), failedSuites: [...new Set(failedSuites)] }

  /** Adds the point and its subtests; returns whether any of them failed. */
  function visit(point: TapPoint, names: string[], file: string | undefined, isFile: boolean): boolean {
    const failures = point.subtests.map((inner) => visit(inner, [...names, inner.name], file, false))
    const failedInside = failures.includes(true)
    const failed = point.outcome === 'failed'
    const id = names.join(' > ')
    // A point that failed only through its subtests is reported by them.
    if (failed && failedInside) return true
    if (isFile || point.isSuite) {
      if (failed) failedSuites.push(id)
    } else {
      // Only failures have a location, so it is no part of the id.
      const place = point.location === undefined ? undefined : relativeFile(point.location, root)
      results.push({ id, file: file ?? place, outcome: point.outcome })
    }
    return failed || failedInside
  }
}
