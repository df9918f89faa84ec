import { styleText } from 'node:util'
import type { diffFlows, FlowDiff } from '#engine'
import { printable } from '../../text.ts'
import { contentOf, type LocalFlow, type RemoteFlow } from './flow-files.ts'

type Content = Parameters<typeof diffFlows>[0]
type Change = FlowDiff['flow'][number]

/** The changes that a push of the file makes on the platform. */
export async function diffWith(remote: RemoteFlow, local: LocalFlow): Promise<FlowDiff> {
  // Loading the engine takes a second, which a push without a difference need not spend.
  const { diffFlows: compare } = await import('#engine')
  const { definition, metadata = remote.metadata } = contentOf(local, remote)
  // The frame was checked when the file was read; the comparison reads ids, types and labels of steps, and passes on the rest.
  const older = { definition: remote.flow_definition, metadata: remote.metadata } as unknown as Content
  return compare(older, { definition, metadata } as unknown as Content)
}

/** The changes line by line: `+` added, `-` removed, `~` changed. In colour on a terminal. */
export function describeDiff({ flow, metadata, steps }: FlowDiff): readonly string[] {
  return [
    ...flow.flatMap((change) => describeChange(change, change.path)),
    ...metadata.flatMap((change) =>
      change.path === 'layout'
        ? [changed('the layout on the canvas')]
        : describeChange(change, `metadata.${change.path}`),
    ),
    ...steps.removed.map(({ id, type }) => removed(`step ${id} (${type})`)),
    ...steps.added.map(({ id, type }) => added(`step ${id} (${type})`)),
    ...steps.changed.flatMap(({ id, changes }) =>
      changes.flatMap((change) => describeChange(change, `step ${id}: ${change.path}`)),
    ),
    ...steps.moved.map(({ id, from, to }) => changed(`step ${id} moved from place ${from + 1} to ${to + 1}`)),
  ]
}

const maxInlineLength = 60

function describeChange({ change, old_value: before, new_value: after }: Change, name: string): string[] {
  if (change === 'added')
    return isShort(after) ? [added(`${name}: ${show(after)}`)] : [added(name), ...plus(after)]
  if (change === 'removed') {
    return isShort(before) ? [removed(`${name}: ${show(before)}`)] : [removed(name), ...minus(before)]
  }
  if (isShort(before) && isShort(after)) return [changed(`${name}: ${show(before)} → ${show(after)}`)]
  const { older, newer } = differingLines(linesOf(before), linesOf(after))
  return [
    changed(name),
    ...cut(older).map((line) => removed(line, 4)),
    ...cut(newer).map((line) => added(line, 4)),
  ]
}

function isShort(value: unknown): boolean {
  const text = show(value)
  return text.length <= maxInlineLength && !(typeof value === 'string' && value.includes('\n'))
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}

function linesOf(value: unknown): readonly string[] {
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).split('\n')
}

const plus = (value: unknown) => cut(linesOf(value)).map((line) => added(line, 4))
const minus = (value: unknown) => cut(linesOf(value)).map((line) => removed(line, 4))

/** The lines between the common beginning and the common end. A long pair of lines starts shortly before its difference. */
function differingLines(older: readonly string[], newer: readonly string[]) {
  let start = 0
  while (start < older.length && start < newer.length && older[start] === newer[start]) start += 1
  let end = 0
  const most = Math.min(older.length, newer.length) - start
  while (end < most && older.at(-1 - end) === newer.at(-1 - end)) end += 1
  const before = older.slice(start, older.length - end)
  const after = newer.slice(start, newer.length - end)
  if (before.length !== 1 || after.length !== 1) return { older: before, newer: after }
  const [first = '', second = ''] = [before[0], after[0]]
  const from = startOfDifference(first, second)
  return { older: [from(first)], newer: [from(second)] }
}

function startOfDifference(first: string, second: string): (line: string) => string {
  let at = 0
  while (at < first.length && first[at] === second[at]) at += 1
  const from = at > 60 ? at - 40 : 0
  return (line) => (from === 0 ? line : `…${line.slice(from)}`)
}

const maxLines = 20
const maxLineLength = 200

function cut(lines: readonly string[]): readonly string[] {
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line))
  return lines.length > maxLines ? [...shown, `… ${lines.length - maxLines} more lines`] : shown
}

const added = (text: string, indent = 0) => mark('green', '+', text, indent)
const removed = (text: string, indent = 0) => mark('red', '-', text, indent)
const changed = (text: string) => mark('yellow', '~', text, 0)

/** Without colour where standard output is no terminal, and with NO_COLOR. */
function mark(colour: 'green' | 'red' | 'yellow', sign: string, text: string, indent: number): string {
  return `${' '.repeat(indent)}${styleText(colour, `${sign} ${printable(text)}`, { stream: process.stdout })}`
}
