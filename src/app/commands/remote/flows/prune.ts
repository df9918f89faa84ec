import { stat } from 'node:fs/promises'
import { UserError } from '#kernel/errors'
import type { PlatformApi } from '../platform-api.ts'
import { inPath } from '../remote-command.ts'
import type { RemoteFlow } from './flow-files.ts'

/** Throws a UserError unless all places are folders: beside a single file, every other flow would look deleted. */
export async function requireFolders(places: readonly string[]): Promise<void> {
  for (const place of places) {
    if (!(await stat(place)).isDirectory()) {
      throw new UserError(`--prune needs folders, and ${place} is a file.`)
    }
  }
}

interface PruneTools {
  readonly api: PlatformApi
  /** Whether the account of the key pushed this revision. */
  readonly isOwnPush: (flow: RemoteFlow) => Promise<boolean>
}

/** The flows that the account made and pushed last, and that no file has any more. Flows changed in the console stay. */
export async function findPrunable(
  { api, isOwnPush }: PruneTools,
  kept: ReadonlySet<string>,
): Promise<readonly RemoteFlow[]> {
  const { entries } = await api.list<{ readonly id: string }>('/flows', {
    entries: 'flows',
    query: { built_in: false, mine: true },
  })
  const found: RemoteFlow[] = []
  for (const { id } of entries.filter((flow) => !kept.has(flow.id))) {
    const flow = await api.call<RemoteFlow>(`/flows/${inPath(id)}`)
    if (await isOwnPush(flow)) found.push(flow)
  }
  return found
}

/** Deletes a flow, if it is still at this revision. Throws a PlatformError when it is not. */
export async function deleteFlow(api: PlatformApi, { id, revision }: RemoteFlow): Promise<void> {
  await api.call(`/flows/${inPath(id)}`, { method: 'DELETE', ifMatch: revision })
}
