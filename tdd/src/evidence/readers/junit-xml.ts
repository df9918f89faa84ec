import type { TestReport, TestResult } from '../test-report.ts'
import { ancestorIds } from './ancestor-ids.ts'
import { isTestFileName, relativeFile } from './file-names.ts'
import { oneResultPerId } from './one-result-per-id.ts'
import { parseXml, type XmlElement } from './parse-xml.ts'

/** Reads JUnit XML, the common tongue of vitest, node, pytest, Surefire, Gradle, PHPUnit and many more. */
export function readJunitXml(text: string, root: string): TestReport | undefined {
  const start = text.search(/^\uFEFF?<(?:\?xml|testsuites?)\b/m)
  if (start === -1 || !text.includes('<testsuite')) return undefined
  const document = parseXml(text.slice(start))
  if (document?.name !== 'testsuites' && document?.name !== 'testsuite') return undefined
  const results: TestResult[] = []
  const failedSuites: string[] = []
  visit(document, undefined)
  const groups = new Set(results.flatMap((result) => ancestorIds(result.id, ' > ')))
  // A failure under the name of a group of tests is the group's own: a hook around its tests broke.
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

// What Surefire, JUnit 4, Gradle and the converters for Go call a class or package that could not run.
const loadFailureNames = /^(?:|initializationError|classMethod|\[(?:build|setup) failed\])$/

function isLoadFailure(name: string, className: string, testCase: XmlElement): boolean {
  // pytest reports a file that it could not collect as an error of no class.
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
