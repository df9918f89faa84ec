import { linesOf } from './lines.ts'
import { readDiagnostic, readPoint, type TapPoint } from './tap-lines.ts'

/** The points of a TAP stream, and the reason when it ended early. */
type TapDocument = { points: readonly TapPoint[]; endedEarly: string | undefined }

const maxDepth = 64

/**
 * Parses TAP. Subtests are indented by four spaces, before their summary line or after it in braces:
 *
 *     # Subtest: outer               ok 1 - outer {
 *         ok 1 - inner                   ok 1 - inner
 *     ok 1 - outer                   }
 */
export function parseTap(text: string): TapDocument | undefined {
  if (!/^TAP version \d+/m.test(text) && !(/^1\.\.\d+/m.test(text) && /^(?:not )?ok\b/m.test(text)))
    return undefined
  // The open points at each depth; deeper points wait for their summary line.
  const open: TapPoint[][] = [[]]
  let planned: number | undefined
  let diagnostics: { indent: number; point: TapPoint } | undefined
  let latest: TapPoint | undefined
  for (const line of linesOf(text)) {
    const content = line.trimStart()
    const indent = line.length - content.length
    if (content === '') continue
    if (diagnostics !== undefined && indent >= diagnostics.indent) {
      readDiagnostic(content, diagnostics.point)
      if (content === '...' && indent === diagnostics.indent) diagnostics = undefined
      continue
    }
    diagnostics = undefined
    const depth = Math.min(Math.floor(indent / 4), maxDepth)
    if (content === '---' && indent > 0 && latest !== undefined) {
      diagnostics = { indent, point: latest }
    } else if (/^Bail out!/i.test(content)) {
      return { points: open[0] ?? [], endedEarly: content.trim() }
    } else if (indent === 0 && /^1\.\.\d/.test(content)) {
      planned = Number.parseInt(content.slice(3), 10)
    } else if (content === '}') {
      closeBraces(open, depth)
    } else {
      latest = addPoint(open, depth, content) ?? latest
    }
  }
  const points = open[0] ?? []
  const isWhole = planned !== undefined && points.length >= planned && open[1] === undefined
  return {
    points,
    endedEarly: isWhole ? undefined : `the report ends early: ${points.length} of ${planned ?? '?'}`,
  }
}

function addPoint(open: TapPoint[][], depth: number, line: string): TapPoint | undefined {
  const point = readPoint(line)
  if (point === undefined) return undefined
  while (open.length <= depth) open.push([])
  point.subtests = open[depth + 1] ?? []
  open.length = depth + 1
  open[depth]?.push(point)
  return point
}

function closeBraces(open: TapPoint[][], depth: number): void {
  const point = open[depth]?.at(-1)
  if (point === undefined) return
  point.subtests = open[depth + 1] ?? []
  open.length = depth + 1
}
