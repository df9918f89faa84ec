import { hookMark, type Json, type SharedSettings } from './setup.ts'

/** Adds the entries of this tool to the existing hooks; its earlier entries are replaced, others stay unchanged. */
export function addEntries(settings: Json, { entries }: SharedSettings): Json {
  const cleaned = removeEntries(settings)
  const hooks = { ...hooksOf(cleaned) }
  for (const [event, ours] of Object.entries(entries)) {
    const there = hooks[event]
    hooks[event] = [...(Array.isArray(there) ? (there as unknown[]) : []), ...ours]
  }
  return { ...cleaned, hooks }
}

/** Removes the entries of this tool, and lists that become empty. */
export function removeEntries(settings: Json): Json {
  if (settings['hooks'] === undefined) return settings
  const { hooks: _, ...rest } = settings
  const hooks = Object.entries(hooksOf(settings)).flatMap(([event, list]): [string, unknown][] => {
    if (!Array.isArray(list)) return [[event, list]]
    const kept = list.flatMap(withoutOurs)
    return kept.length === 0 && list.length > 0 ? [] : [[event, kept]]
  })
  return hooks.length === 0 ? rest : { ...settings, hooks: Object.fromEntries(hooks) }
}

/** Whether a value contains an entry of this tool. */
export function mentionsUs(value: unknown): boolean {
  return JSON.stringify(value)?.includes(hookMark) ?? false
}

/** Removes the hooks of this tool from a group, which may also contain hooks of the user. */
function withoutOurs(entry: unknown): unknown[] {
  if (!mentionsUs(entry)) return [entry]
  const inner = typeof entry === 'object' && entry !== null ? (entry as Json)['hooks'] : undefined
  if (!Array.isArray(inner)) return []
  const kept = inner.filter((hook) => !mentionsUs(hook))
  return kept.length === 0 ? [] : [{ ...(entry as Json), hooks: kept }]
}

function hooksOf(settings: Json): Json {
  const hooks = settings['hooks']
  return typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks) ? (hooks as Json) : {}
}
