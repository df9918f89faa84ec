import { createFlows } from '#engine'
import { printProblems, readFlowFile } from './flow-file.ts'
import { printFlow } from './print-flow.ts'
import { exitCodes } from './remote/remote-command.ts'
import { count, writeTable } from './text.ts'
import { withDatabase } from './with-database.ts'

const pageSize = 200

/** Of commands that use a platform over HTTP once the user is signed in to one. */
const notSignedIn =
  'You are not signed in to another one either. Sign in: npx tutti login --url https://…\n' +
  'Or start a platform here: npx tutti serve'

/** `tutti flows list`: every flow, as a table or as JSON. */
export async function listFlows({ search, json }: { readonly search?: string; readonly json?: true }) {
  const found = await findFlows(search)
  if (json) {
    console.log(JSON.stringify(found.map(describeFlow), null, 2))
    return exitCodes.done
  }
  if (found.length === 0) {
    console.error(search === undefined ? 'There is no flow yet.' : `No flow has "${search}" in it.`)
    return exitCodes.done
  }
  const rows = found
    .map(describeFlow)
    .map(({ id, version, revision, steps, built_in: builtIn, label }) => [
      id,
      version === String(revision) ? version : `${version} (${revision})`,
      String(steps),
      builtIn ? 'built in' : 'own',
      label,
    ])
  console.log(writeTable(['ID', 'VERSION', 'STEPS', 'KIND', 'LABEL'], rows))
  return exitCodes.done
}

async function findFlows(search: string | undefined): Promise<readonly Listed[]> {
  const found: Listed[] = []
  await withDatabase(
    async ({ database }) => {
      const flows = createFlows({ database })
      for (let total = 1; found.length < total; ) {
        const page = await flows.list({ search, limit: pageSize, offset: found.length })
        if (page.flows.length === 0) break
        found.push(...page.flows)
        total = page.total
      }
    },
    { ifMissing: notSignedIn },
  )
  return found
}

type Listed = Awaited<ReturnType<ReturnType<typeof createFlows>['read']>>

function describeFlow({ flowId, version, definition, builtIn, flowUpdatedAt }: Listed) {
  return {
    id: flowId,
    label: definition.label,
    version: definition.version ?? String(version),
    revision: version,
    category: definition.category ?? null,
    tags: definition.tags ?? [],
    steps: definition.steps.length,
    built_in: builtIn,
    updated_at: flowUpdatedAt.toISOString(),
  }
}

/** `tutti flows show`: a flow with its steps. */
export async function showFlow(id: string, revision: number | undefined) {
  await withDatabase(
    async ({ database }) => {
      const { version, currentVersion, ...flow } = await createFlows({ database }).read(id, revision)
      printFlow({ ...flow, revision: version, currentRevision: currentVersion })
    },
    { ifMissing: notSignedIn },
  )
  return exitCodes.done
}

/** `tutti flows import`: saves the flow in a file as a new flow or a new revision. Returns whether it was saved. */
export async function importFlow(file: string, { note }: { readonly note?: string }): Promise<boolean> {
  const given = await readFlowFile(file)
  const author = { by: { accountId: null, username: null }, note }
  let isSaved = false
  await withDatabase(
    async ({ database }) => {
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
      console.log(describeSaved(saved, isThere))
      printProblems(saved.checked.warnings, console.log)
      isSaved = true
    },
    { ifMissing: 'To save the flow on a platform elsewhere, use npx tutti flows push FILE' },
  )
  return isSaved
}

type SavedFlow = Awaited<ReturnType<ReturnType<typeof createFlows>['create']>>

function describeSaved({ flow: { flowId, version }, changed }: SavedFlow, isThere: boolean): string {
  if (!isThere) return `${flowId} is saved, as revision ${version}.`
  return changed
    ? `${flowId} has a new revision: ${version}.`
    : `${flowId} is the same as its revision ${version}; nothing was saved.`
}

/** `tutti flows export`: prints the flow in the format of `tutti flows import` and the API. */
export async function exportFlow(id: string, { revision }: { readonly revision?: number }): Promise<void> {
  await withDatabase(
    async ({ database }) => {
      const { definition, metadata } = await createFlows({ database }).read(id, revision)
      console.log(JSON.stringify({ flow_definition: definition, metadata }, null, 2))
    },
    { ifMissing: `To get the flow from a platform elsewhere, use npx tutti flows pull ${id}` },
  )
}
