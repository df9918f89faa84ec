/** `node scripts/check-language.ts [path…]`: fails where a retired word stands in code, comments or documents. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type RetiredWord, retiredWords } from './retired-words.ts'

export interface Finding {
  readonly line: number
  readonly word: string
  readonly use: string
}

/** Files that quote retired words on purpose, and files other programs write. */
const skipped =
  /^scripts\/retired-words\.ts$|^test\/architecture\/language\.test\.ts$|\.generated\.|^docs\/reference\/|fixtures\//

const patterns = new Map(retiredWords.map((retired) => [retired, patternOf(retired)]))

/** Words match alone and inside camelCase; snake_case names are names of tables, columns and fields, which stay. */
function patternOf({ word }: RetiredWord): RegExp {
  if (word.includes(' ')) return new RegExp(`\\b${word.replaceAll(' ', '[ -]')}\\b`, 'gi')
  if (word.endsWith('*')) return new RegExp(`(?<![A-Za-z_])${word.slice(0, -1)}[A-Z]\\w*`, 'g')
  const capital = word.charAt(0).toUpperCase() + word.slice(1)
  return new RegExp(`(?<![A-Za-z_])${word}(?![a-z_])|(?<![A-Z_])${capital}(?![a-z_])`, 'g')
}

/** The retired words in a text. Pure, so that its rules have tests. */
export function findRetiredWords(path: string, text: string): Finding[] {
  const findings: Finding[] = []
  for (const [retired, pattern] of patterns) {
    if (retired.within?.some((folder) => path.startsWith(folder)) === false) continue
    const except = retired.except ?? []
    if (except.some((it) => (typeof it === 'string' ? path.startsWith(it) : it.test(path)))) continue
    for (const { index, 0: match } of text.matchAll(pattern)) {
      if (except.some((it) => it instanceof RegExp && it.test(match))) continue
      if (retired.quotes?.some((quote) => isInside(quote, text, index)) === true) continue
      findings.push({ line: lineAt(text, index), word: match, use: retired.use })
    }
  }
  return findings.toSorted((one, other) => one.line - other.line)
}

function isInside(quote: string, text: string, index: number): boolean {
  const from = Math.max(0, index - quote.length + 1)
  const at = text.slice(from, index + quote.length).indexOf(quote)
  return at >= 0 && from + at <= index
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

if (import.meta.main) {
  const tracked = execFileSync('git', ['ls-files', '-z', ...process.argv.slice(2)], { encoding: 'utf8' })
  const paths = tracked
    .split('\0')
    // Not .sql: a migration that was released must not change, not even in a comment.
    .filter((path) => /\.(?:ts|tsx|mjs|md|css)$/.test(path) && !skipped.test(path))
  let count = 0
  for (const path of paths) {
    for (const { line, word, use } of findRetiredWords(path, readFileSync(path, 'utf8'))) {
      count += 1
      console.log(`${path}:${line}: "${word}" is retired; use: ${use}`)
    }
  }
  console.log(`${paths.length} files, ${count} retired words`)
  process.exitCode = count === 0 && paths.length > 0 ? 0 : 1
}
