import { linesOf } from '../readers/lines.ts'
import { type Coverage, coverageOf } from './coverage.ts'

/** Reads a profile of `go test -coverprofile`. With -coverpkg a block appears once for each package that was tested. */
export function readGoProfile(text: string): Coverage | undefined {
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
