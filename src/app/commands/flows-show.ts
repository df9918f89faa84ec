import { createFlows, describeGraph } from '#engine'
import { writeTable } from './text-table.ts'
import { withDatabase } from './with-database.ts'

/** `tutti flows show`: what a flow does, step by step. */
export async function showFlow(id: string, { revision }: { readonly revision?: number }): Promise<void> {
  await withDatabase(async ({ database }) => {
    const flow = await createFlows({ database }).read(id, revision)
    const { definition, metadata, version, currentVersion, note } = flow
    console.log(`${definition.label} (${flow.flowId})`)
    if (definition.description !== undefined) console.log(definition.description)
    const which = version === currentVersion ? 'the current one' : `the current one is ${currentVersion}`
    console.log(`\nRevision ${version}, ${which}${note === null ? '' : `: ${note}`}`)
    if (metadata.approval_required === true) console.log('Every execution waits for somebody who agrees.')
    const { dependencies } = describeGraph(definition)
    const rows = definition.steps.map((step) => [
      step.id,
      step.type,
      dependencies[step.id]?.join(', ') ?? '–',
      step.label ?? '',
    ])
    console.log(`\n${writeTable(['STEP', 'TYPE', 'AFTER', 'LABEL'], rows)}`)
  })
}
