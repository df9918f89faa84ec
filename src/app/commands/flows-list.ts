import { createFlows } from '#engine'
import { writeTable } from './text-table.ts'
import { withDatabase } from './with-database.ts'

const atOnce = 200

/** `tutti flows list`: every flow, for people or for scripts. */
export async function listFlows({
  search,
  json,
}: {
  readonly search?: string
  readonly json?: true
}): Promise<void> {
  await withDatabase(async ({ database }) => {
    const flows = createFlows({ database })
    const found = []
    for (let total = 1; found.length < total; ) {
      const page = await flows.list({ search, limit: atOnce, offset: found.length })
      if (page.flows.length === 0) break
      found.push(...page.flows)
      total = page.total
    }
    if (json) {
      console.log(JSON.stringify(found.map(describe), null, 2))
      return
    }
    if (found.length === 0) {
      console.error(search === undefined ? 'There is no flow yet.' : `No flow has "${search}" in it.`)
      return
    }
    const rows = found
      .map(describe)
      .map(({ id, version, revision, steps, built_in: builtIn, label }) => [
        id,
        version === String(revision) ? version : `${version} (${revision})`,
        String(steps),
        builtIn ? 'built in' : 'own',
        label,
      ])
    console.log(writeTable(['ID', 'VERSION', 'STEPS', 'KIND', 'LABEL'], rows))
  })
}

type Listed = Awaited<ReturnType<ReturnType<typeof createFlows>['read']>>

function describe({ flowId, version, definition, builtIn, flowUpdatedAt }: Listed) {
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
