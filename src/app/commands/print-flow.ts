import { describeGraph, type FlowDefinition } from '#engine'
import { oneLine, printable, terminalWidth, writeTable } from './text.ts'

/** A revision of a flow, from the database or from a platform. */
export interface FlowRevision {
  readonly definition: FlowDefinition
  readonly metadata: Readonly<Record<string, unknown>>
  readonly revision: number
  readonly currentRevision: number
  readonly note: string | null
}

/** Prints a flow with its steps. */
export function printFlow({ definition, metadata, revision, currentRevision, note }: FlowRevision): void {
  console.log(`${oneLine(definition.label)} (${definition.id})`)
  if (definition.description !== undefined) console.log(printable(definition.description))
  const which = revision === currentRevision ? 'the current one' : `the current one is ${currentRevision}`
  console.log(`\nRevision ${revision}, ${which}${note === null ? '' : `: ${oneLine(note)}`}`)
  if (metadata['approval_required'] === true) console.log('Every execution waits for an approval.')
  const { dependencies } = describeGraph(definition)
  const rows = definition.steps.map((step) => [
    step.id,
    step.type,
    dependencies[step.id]?.join(', ') ?? '–',
    oneLine(step.label ?? ''),
  ])
  const header = ['STEP', 'TYPE', 'AFTER', 'LABEL']
  console.log(`\n${writeTable(header, rows, { width: terminalWidth(), shrink: [2, 3] })}`)
}
