type Path = ReadonlyArray<string | number>

/** A visible line of a JSON tree. */
export interface JsonRow {
  /** Identifies the row within its tree. */
  readonly id: string
  readonly path: Path
  readonly value: unknown
  /** The number of members; undefined for a value without members. */
  readonly size: number | undefined
  readonly isOpen: boolean
  /** The number of members that are left out below, at the last row of a long list. */
  readonly left: number
  readonly position: number
  readonly siblings: number
}

/** A longer list is shown in part. */
const maxMembers = 100

/** The id of a row, which is also how a user would write its path. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (!/^[A-Za-z_]\w*$/.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

/** The members of an object or a list; undefined for other values. */
function membersOf(value: unknown): ReadonlyArray<readonly [string | number, unknown]> | undefined {
  if (Array.isArray(value)) return value.map((member: unknown, index) => [index, member] as const)
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined
}

/** The ids of the rows that are open at first: as many levels as fit into the limit. */
export function openAtFirst(value: unknown, maxRows = 60): ReadonlySet<string> {
  const open = new Set<string>()
  let level: ReadonlyArray<readonly [Path, unknown]> = [[[], value]]
  let rows = 1
  while (level.length > 0) {
    const next = level.flatMap(([path, it]) =>
      (membersOf(it) ?? []).slice(0, maxMembers).map(([name, member]) => [[...path, name], member] as const),
    )
    rows += next.length
    if (rows > maxRows && open.size > 0) break
    for (const [path, it] of level) if (membersOf(it) !== undefined) open.add(pathText(path))
    level = next
  }
  return open
}

/** The visible rows, from top to bottom. `whole` has the ids of long lists that are shown as a whole. */
export function jsonRows(
  value: unknown,
  { open, whole }: { open: ReadonlySet<string>; whole: ReadonlySet<string> },
): readonly JsonRow[] {
  const rows: JsonRow[] = []
  function add(path: Path, it: unknown, place: { position: number; siblings: number; left: number }): void {
    const id = pathText(path)
    const members = membersOf(it)
    const isOpen = members !== undefined && open.has(id)
    rows.push({ id, path, value: it, size: members?.length, isOpen, ...place })
    if (members === undefined || !isOpen) return
    const shown = whole.has(id) ? members : members.slice(0, maxMembers)
    const left = members.length - shown.length
    for (const [index, [name, member]] of shown.entries())
      add([...path, name], member, {
        position: index + 1,
        siblings: members.length,
        left: index === shown.length - 1 ? left : 0,
      })
  }
  add([], value, { position: 1, siblings: 1, left: 0 })
  return rows
}
