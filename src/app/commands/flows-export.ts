import { createFlows } from '#engine'
import { withDatabase } from './with-database.ts'

/** `tutti flows export`: the flow as `tutti flows import` and the API take it. */
export async function exportFlow(id: string, { revision }: { readonly revision?: number }): Promise<void> {
  await withDatabase(async ({ database }) => {
    const { definition, metadata } = await createFlows({ database }).read(id, revision)
    console.log(JSON.stringify({ flow_definition: definition, metadata }, null, 2))
  })
}
