import type { NodeRegistry } from '../nodes/registry.ts'
import { runtimeNames } from '../nodes/runtime.ts'
import type { NodeSetting } from './operator-store.ts'

type Settings = ReadonlyMap<string, NodeSetting>

/**
 * Makes the nodes as operators have set them.
 *
 * | setting of a node            | effect                                                                    |
 * |------------------------------|---------------------------------------------------------------------------|
 * | removed                      | it is no node, whatever names it                                          |
 * | added                        | it is a node, also if nothing else names it                               |
 * | weight, draining             | it has that weight and state, now or when it appears                      |
 * | gone since the last time     | the node is as its other sources name it, and no node without one         |
 *
 * With `only`, the settings of this node alone.
 */
export function applyNodeSettings(
  registry: NodeRegistry,
  before: Settings,
  after: Settings,
  only?: string,
): void {
  for (const setting of after.values()) {
    if (only !== undefined && setting.id !== only) continue
    if (!isSame(before.get(setting.id), setting)) apply(registry, setting)
  }
  for (const setting of before.values()) if (!after.has(setting.id)) revert(registry, setting)
}

function isSame(before: NodeSetting | undefined, after: NodeSetting): boolean {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after)
}

function apply(registry: NodeRegistry, setting: NodeSetting): void {
  const { id, url, added, removed, weight, runtime } = setting
  if (removed) {
    registry.ban(id)
    return
  }
  registry.unban(id)
  if (added && registry.find(id)?.isNamedBy('runtime') !== true) {
    const known = runtimeNames.find((name) => name === runtime)
    registry.announce({ url, weight: weight ?? 1, source: 'runtime', runtime: known })
  }
  if (!added) registry.release(id, 'runtime')
  setOperated(registry, id, setting)
}

function revert(registry: NodeRegistry, { id, removed }: NodeSetting): void {
  if (removed) registry.unban(id)
  registry.release(id, 'runtime')
  setOperated(registry, id, undefined)
}

function setOperated(registry: NodeRegistry, id: string, setting: NodeSetting | undefined): void {
  const node = registry.find(id)
  if (node !== undefined) registry.update(node, () => node.operate(setting))
}
