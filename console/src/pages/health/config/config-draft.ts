import type { StatusConfig } from '../health-queries.ts'

type ConfigGroup = 'slow_ms' | 'weights' | 'damping' | 'disk'

/** A configuration as it is typed: everything is text, by its path, such as `damping.worse`. */
export type ConfigDraft = Readonly<Record<string, string>>

const groups: readonly ConfigGroup[] = ['slow_ms', 'weights', 'damping', 'disk']
const numbers = ['interval_seconds', 'timeout_seconds'] as const

export function draftOf(config: StatusConfig): ConfigDraft {
  return {
    page_title: config.page_title,
    ...Object.fromEntries(numbers.map((name) => [name, String(config[name])])),
    ...Object.fromEntries(
      groups.flatMap((group) =>
        Object.entries(config[group]).map(([name, value]) => [`${group}.${name}`, String(value)]),
      ),
    ),
  }
}

/** What was changed, to be sent; what stands as it was is left out. A field that is no number is sent as null and refused by name. */
export function changeOf(draft: ConfigDraft, config: StatusConfig): Record<string, unknown> {
  const before = draftOf(config)
  const change: Record<string, unknown> = {}
  for (const [path, text] of Object.entries(draft)) {
    if (text.trim() === before[path]) continue
    const [first = '', second] = path.split('.')
    const value = path === 'page_title' ? text.trim() : readNumber(text)
    if (second === undefined) change[first] = value
    else change[first] = { ...(change[first] as object | undefined), [second]: value }
  }
  return change
}

function readNumber(text: string): number | null {
  const value = Number(text)
  return text.trim() === '' || Number.isNaN(value) ? null : value
}
