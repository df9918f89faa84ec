import { linesOf } from '../readers/lines.ts'
import { isObject, parseJsonObject } from '../readers/parse-json.ts'
import { parseXml, type XmlElement } from '../readers/parse-xml.ts'
import { maxReportCharacters } from '../readers/report-size.ts'

/** The usual paths of coverage reports in a package, best first. */
export const coverageFileCandidates: readonly string[] = [
  'coverage/coverage-summary.json',
  'coverage/lcov.info',
  'coverage/clover.xml',
  'coverage.xml',
  'coverage/cobertura-coverage.xml',
  'target/site/jacoco/jacoco.xml',
  'build/reports/jacoco/test/jacocoTestReport.xml',
  'build/reports/kover/report.xml',
  'coverage.out',
  'cover.out',
  'lcov.info',
  'cobertura.xml',
  'coverage/cobertura.xml',
  'clover.xml',
  'build/logs/clover.xml',
]

/** Reads a coverage report. The file name determines the family, the text the format; undefined for any other text. */
export function readCoverage(text: string, file: string): Coverage | undefined {
  if (text.length > maxReportCharacters) return undefined
  if (/\.json$/i.test(file)) return readCoverageSummary(text)
  if (/\.xml$/i.test(file)) return readXml(text)
  return readGoProfile(text) ?? readLcov(text)
}

function readXml(text: string): Coverage | undefined {
  const document = parseXml(text)
  if (document === undefined) return undefined
  return readJacoco(document) ?? readCobertura(document) ?? readClover(document)
}

/** Reads the `json-summary` report of Istanbul, which vitest, jest, nyc and c8 share. */
function readCoverageSummary(text: string): Coverage | undefined {
  const total = parseJsonObject(text)?.['total']
  const lines = isObject(total) ? total['lines'] : undefined
  return isObject(lines) ? coverageOf('coverage-summary', lines['covered'], lines['total']) : undefined
}

/** Reads Clover XML. Its statements are the executable lines: Istanbul and PHPUnit write one statement per line. */
function readClover(document: XmlElement): Coverage | undefined {
  if (document.name !== 'coverage') return undefined
  const metrics = document.children
    .filter((child) => child.name === 'project')
    .flatMap((project) => project.children.filter((child) => child.name === 'metrics'))
  const sum = (name: string) =>
    metrics.reduce((total, metric) => total + (countFrom(metric.attributes.get(name)) ?? Number.NaN), 0)
  return coverageOf('clover', sum('coveredstatements'), sum('statements'))
}

/** Reads JaCoCo XML, which Kover writes too: the line counter of the whole report. */
function readJacoco(document: XmlElement): Coverage | undefined {
  if (document.name !== 'report') return undefined
  const counter = document.children.find(
    (child) => child.name === 'counter' && child.attributes.get('type') === 'LINE',
  )
  const missed = countFrom(counter?.attributes.get('missed'))
  const covered = countFrom(counter?.attributes.get('covered'))
  if (missed === undefined || covered === undefined) return undefined
  return coverageOf('jacoco', covered, covered + missed)
}

/** Reads a profile of `go test -coverprofile`. With -coverpkg a block appears once for each tested package. */
function readGoProfile(text: string): Coverage | undefined {
  if (!/^mode: (?:set|count|atomic)\r?\n/.test(text)) return undefined
  const blocks = new Map<string, { statements: number; reached: boolean }>()
  for (const line of linesOf(text)) {
    if (line === '' || line.startsWith('mode: ')) continue
    // file.go:startLine.column,endLine.column statements count
    const parts = /^(\S.*:\d+\.\d+,\d+\.\d+) (\d{1,9}) (\d{1,19})$/.exec(line)
    if (parts === null) return undefined
    const [, block = '', statements, count] = parts
    const reached = Number(count) > 0 || blocks.get(block)?.reached === true
    blocks.set(block, { statements: Number(statements), reached })
  }
  let [total, covered] = [0, 0]
  for (const { statements, reached } of blocks.values()) {
    total += statements
    if (reached) covered += statements
  }
  return coverageOf('go', covered, total)
}

/** Reads an lcov trace file. A file may have several records, one for each test run: a line reached in any of them is covered. */
function readLcov(text: string): Coverage | undefined {
  const hits = createLineHits()
  let file: string | undefined
  // Records without lines have only their sums, LF and LH.
  let summed = { found: 0, hit: 0, hasLines: false }
  let [total, covered] = [0, 0]
  for (const line of linesOf(text)) {
    const [key, value = ''] = splitAtColon(line)
    if (key === 'SF') {
      file = value
      summed = { found: 0, hit: 0, hasLines: false }
    } else if (file === undefined) continue
    else if (key === 'DA') {
      const [number = '', count = ''] = value.split(',')
      hits.add(`${file}:${number}`, Number(count) > 0)
      summed.hasLines = true
    } else if (key === 'LF') summed.found = countFrom(value) ?? 0
    else if (key === 'LH') summed.hit = countFrom(value) ?? 0
    else if (key === 'end_of_record') {
      if (!summed.hasLines) [total, covered] = [total + summed.found, covered + summed.hit]
      file = undefined
    }
  }
  return coverageOf('lcov', covered + hits.covered(), total + hits.total())
}

function splitAtColon(line: string): [string, string | undefined] {
  const colon = line.indexOf(':')
  return colon === -1 ? [line.trim(), undefined] : [line.slice(0, colon), line.slice(colon + 1)]
}

/** Reads Cobertura XML, as coverage.py, Istanbul, coverlet, gcovr and PHPUnit write it. */
function readCobertura(document: XmlElement): Coverage | undefined {
  const isCobertura = document.attributes.has('line-rate') || childrenNamed(document, 'packages').length > 0
  if (document.name !== 'coverage' || !isCobertura) return undefined
  const total = countFrom(document.attributes.get('lines-valid'))
  const covered = countFrom(document.attributes.get('lines-covered'))
  if (total !== undefined && covered !== undefined) return coverageOf('cobertura', covered, total)
  return countLines(document)
}

// Older tools write only rates, which cannot be added up: then the lines are counted.
function countLines(document: XmlElement): Coverage | undefined {
  const hits = createLineHits()
  for (const classElement of descend(document, ['packages', 'package', 'classes', 'class'])) {
    const file = classElement.attributes.get('filename') ?? ''
    for (const line of descend(classElement, ['lines', 'line'])) {
      hits.add(`${file}:${line.attributes.get('number')}`, Number(line.attributes.get('hits')) > 0)
    }
  }
  return coverageOf('cobertura', hits.covered(), hits.total())
}

function descend(element: XmlElement, path: readonly string[]): readonly XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (elements, name) => elements.flatMap((parent) => childrenNamed(parent, name)),
    [element],
  )
}

function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name)
}

/** Counts each line once; it is covered when any record of it was reached. */
function createLineHits() {
  const reachedByLine = new Map<string, boolean>()
  return {
    add(line: string, reached: boolean): void {
      reachedByLine.set(line, reached || reachedByLine.get(line) === true)
    },
    total: (): number => reachedByLine.size,
    covered: (): number => [...reachedByLine.values()].filter(Boolean).length,
  }
}

/**
 * The coverage of the code by tests. Go counts statements, because its profiles have no lines; all other formats count lines.
 */
type Coverage = {
  format: 'coverage-summary' | 'lcov' | 'cobertura' | 'jacoco' | 'clover' | 'go'
  linesTotal: number
  linesCovered: number
  percent: number
}

/**
 * A report without any line is no evidence of coverage, so the result is undefined and not 100.
 * The percentage is cut after two decimals: 79.999 does not reach a threshold of 80.
 */
function coverageOf(format: Coverage['format'], covered: unknown, total: unknown): Coverage | undefined {
  if (!isCount(covered) || !isCount(total) || total === 0 || covered > total) return undefined
  return {
    format,
    linesTotal: total,
    linesCovered: covered,
    percent: Math.floor((covered * 10_000) / total) / 100,
  }
}

/** Parses a count from an attribute or a line. */
function countFrom(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
