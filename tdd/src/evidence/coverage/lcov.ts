import { linesOf } from '../readers/lines.ts'
import { type Coverage, countFrom, coverageOf } from './coverage.ts'
import { createLineHits } from './line-hits.ts'

/** Reads an lcov trace file. A file may have several records, one for each test run: a line reached in any of them is covered. */
export function readLcov(text: string): Coverage | undefined {
  const hits = createLineHits()
  let file: string | undefined
  // Records without lines of their own give only their sums, LF and LH.
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
