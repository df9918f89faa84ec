import type { TrackedNode } from '../nodes/tracked-node.ts'
import type { NodeModel } from '../probing/model-list.ts'

/** An entry of the runtime's own lists, as a node gave it, and which nodes gave one. */
export type MergedModel = Readonly<Record<string, unknown>> & {
  readonly name: string
  readonly nodes: readonly string[]
}

/** The models of all healthy nodes, each once, as the first of them describes it. */
export function mergeModels(tracked: readonly TrackedNode[]): readonly MergedModel[] {
  return merge(tracked, ({ models }) => models)
}

/** What is in memory anywhere. */
export function mergeLoadedModels(tracked: readonly TrackedNode[]): readonly MergedModel[] {
  return merge(tracked, ({ loadedModels }) => loadedModels)
}

function merge(
  tracked: readonly TrackedNode[],
  modelsOf: (node: TrackedNode) => readonly NodeModel[],
): MergedModel[] {
  const byName = new Map<string, { readonly raw: NodeModel['raw']; readonly nodes: string[] }>()
  for (const node of tracked) {
    if (!node.isReady) continue
    for (const { name, raw } of modelsOf(node)) {
      const known = byName.get(name)
      if (known === undefined) byName.set(name, { raw, nodes: [node.id] })
      else known.nodes.push(node.id)
    }
  }
  return [...byName]
    .map(([name, { raw, nodes }]) => ({ ...raw, name, nodes }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** The lowest version of all healthy nodes, since that is what a caller can rely on; null when none tells. */
export function lowestVersion(tracked: readonly TrackedNode[]): string | null {
  const versions = tracked.flatMap(({ isReady, version }) => (isReady && version !== null ? [version] : []))
  return versions.toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }))[0] ?? null
}
