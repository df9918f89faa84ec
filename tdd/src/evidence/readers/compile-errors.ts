import type { TestReport } from '../test-report.ts'
import { relativeFile } from './file-names.ts'
import { linesOf } from './lines.ts'

/** Compiler output lines that name the file with the error. Go names the package instead; see `read-report.ts`. */
const errorLines: readonly RegExp[] = [
  // Maven and sbt: `[ERROR] /shop/src/test/java/CartTest.java:[9,20] cannot find symbol`
  /^\[error\] (\S.*\.(?:java|kt|scala|groovy)):[[(]?\d+/i,
  // javac, gcc, clang, swiftc: `CartTest.java:9: error: …`, `cart_test.cpp:9:20: error: …`
  /^(\S.*\.(?:java|kt|scala|groovy|swift|c|cc|cpp|cxx|h|hh|hpp|m|mm)):\d+(?::\d+)?: (?:fatal )?error: /,
  // kotlinc: `e: file:///shop/src/test/kotlin/CartTest.kt:9:20 Unresolved reference: total`
  /^e: (?:file:\/\/)?(\S.*\.kts?):[ (]?\d+[:,]/,
  // tsc: `test/cart.test.ts(3,10): error TS2305: …` or `test/cart.test.ts:3:10 - error TS2305: …`
  /^(\S.*\.[cm]?tsx?)(?:\(\d+,\d+\):|:\d+:\d+ -) error TS\d+: /,
  // The compilers of .NET: `/shop/CartTests.cs(9,20): error CS0103: …`
  /^\s*(\S.*\.(?:cs|fs|vb))\(\d+,\d+\): error [A-Z]+\d+: /,
]

/** cargo: `` error: could not compile `shop` (test "cart") due to 1 previous error `` */
const cargoLine =
  /^error: could not compile `([^`]+)` \((lib|bin|test|example|bench)(?: "([^"]+)")?( test)?\)/

const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')
const maxLineLength = 2000
const maxSuites = 50

/** Reads compiler output about tests that do not compile: such a run writes no report. Errors in other files are ignored. */
export function readCompileErrors(
  text: string,
  root: string,
  isTest: (file: string) => boolean,
): TestReport | undefined {
  const files = new Set<string>()
  const crates = new Set<string>()
  let codeFails = false
  for (const line of linesOf(text)) {
    if (line.length > maxLineLength || files.size + crates.size >= maxSuites) continue
    const plain = line.replace(colours, '')
    const [, crate = '', target = '', name = '', test] = cargoLine.exec(plain) ?? []
    if (target === 'test' || test !== undefined) crates.add(crateSuite(crate, target, name))
    else if (target === 'lib' || target === 'bin') codeFails = true
    const file = errorLines.map((pattern) => pattern.exec(plain)?.[1]).find((found) => found !== undefined)
    if (file !== undefined && isTest(relativeFile(file, root))) files.add(relativeFile(file, root))
  }
  const failedSuites = [...files, ...(codeFails ? [] : crates)]
  return failedSuites.length === 0 ? undefined : { tool: 'compiler', results: [], failedSuites }
}

/** The suite name of a crate's tests, as nextest writes it in its report. */
function crateSuite(crate: string, target: string, name: string): string {
  if (target === 'lib') return crate
  return target === 'bin' ? `${crate}::bin/${name}` : `${crate}::${name}`
}

/** Whether a suite is a source file that a compiler named. */
export function isCompiledFile(suite: string): boolean {
  return /\.(?:java|kts?|scala|groovy|swift|c|cc|cpp|cxx|h|hh|hpp|mm?|[cm]?tsx?|cs|fs|vb)$/.test(suite)
}
