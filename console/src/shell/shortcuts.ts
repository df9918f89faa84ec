export interface Shortcut {
  /** `mod+k` (Ctrl, or Command on a Mac), a single key such as `?`, or two keys in turn such as `g o`. */
  readonly keys: string
  readonly about: string
  readonly run: () => void
}

const sequenceMs = 1_000

/** Matches key presses with shortcuts; the second key of a pair is awaited for one second. Returns whether a key was used. */
export function createShortcutReader(shortcuts: readonly Shortcut[], now: () => number = Date.now) {
  let first: { readonly key: string; readonly at: number } | undefined

  return (press: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): boolean => {
    const modified = press.ctrlKey || press.metaKey
    const key = press.key.length === 1 ? press.key.toLowerCase() : press.key
    const pair = first !== undefined && now() - first.at <= sequenceMs ? `${first.key} ${key}` : undefined
    first = modified || press.altKey ? undefined : { key, at: now() }
    if (press.altKey) return false
    const wanted = modified ? [`mod+${key}`] : [pair, key]
    const found = shortcuts.find(({ keys }) => wanted.includes(keys))
    if (found === undefined) return false
    first = undefined
    found.run()
    return true
  }
}

/** Whether a key press belongs to the focused element (a field, an open dialog) rather than to the page. */
export function isTaken(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null
  )
}
