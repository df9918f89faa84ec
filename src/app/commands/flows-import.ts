import { createFlows, type SavedFlow } from '#engine'
import { count, printProblems, readFlowFile } from './flow-file.ts'
import { withDatabase } from './with-database.ts'

/** `tutti flows import`: saves the flow in a file, anew or as a new revision. Answers whether it could be saved. */
export async function importFlow(file: string, { note }: { readonly note?: string }): Promise<boolean> {
  const given = await readFlowFile(file)
  const author = { by: { accountId: null, username: null }, note }
  let isSaved = false
  await withDatabase(async ({ database }) => {
    const flows = createFlows({ database })
    const { definition, problems } = await flows.check(given)
    if (definition === undefined) {
      console.error(`${given.name} has ${count(problems.length, 'problem')}:`)
      printProblems(problems, console.error)
      return
    }
    const { id } = definition
    const isThere = (await flows.find(id)) !== undefined
    const saved = isThere ? await flows.change(id, given, author) : await flows.create(given, author)
    console.log(describe(saved, isThere))
    printProblems(saved.checked.warnings, console.log)
    isSaved = true
  })
  return isSaved
}

function describe({ flow: { flowId, version }, changed }: SavedFlow, isThere: boolean): string {
  if (!isThere) return `${flowId} is saved, as revision ${version}.`
  return changed
    ? `${flowId} has a new revision: ${version}.`
    : `${flowId} is the same as its revision ${version}; nothing was saved.`
}
