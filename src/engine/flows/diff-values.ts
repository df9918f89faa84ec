/** One field that is different. */
export interface FieldChange {
  /** Such as `conditions[0].value`. */
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Null when it was not there. */
  readonly old_value: unknown
  /** Null when it is gone. */
  readonly new_value: unknown
}

/** Every place where two values differ, as deep as both have something there. */
export function diffValues(older: unknown, newer: unknown, path = ''): FieldChange[] {
  if (older === newer) return []
  if (older === undefined) return [{ path, change: 'added', old_value: null, new_value: newer }]
  if (newer === undefined) return [{ path, change: 'removed', old_value: older, new_value: null }]
  if (Array.isArray(older) && Array.isArray(newer)) return diffLists(older, newer, path)
  if (isObject(older) && isObject(newer)) {
    const names = new Set([...Object.keys(older), ...Object.keys(newer)])
    return [...names].flatMap((name) =>
      diffValues(own(older, name), own(newer, name), path === '' ? name : `${path}.${name}`),
    )
  }
  return [{ path, change: 'changed', old_value: older, new_value: newer }]
}

/** Of plain values the whole list tells more than its places do. */
function diffLists(older: readonly unknown[], newer: readonly unknown[], path: string): FieldChange[] {
  if ([...older, ...newer].some(isInner)) {
    const length = Math.max(older.length, newer.length)
    return Array.from({ length }, (_, index) =>
      diffValues(older[index], newer[index], `${path}[${index}]`),
    ).flat()
  }
  const isSame = older.length === newer.length && older.every((value, index) => value === newer[index])
  return isSame ? [] : [{ path, change: 'changed', old_value: older, new_value: newer }]
}

function isInner(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isInner(value) && !Array.isArray(value)
}

function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
