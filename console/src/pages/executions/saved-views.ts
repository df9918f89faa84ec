import { type ExecutionSearch, readExecutionSearch } from './execution-search.ts'

/** A named list of executions: its search parameters. */
export interface SavedView {
  readonly name: string
  readonly search: ExecutionSearch
}

/** Views that everybody has. */
export const builtInViews: readonly SavedView[] = [
  { name: 'Failed today', search: { status: 'failed', range: 'today' } },
  { name: 'Needs a person', search: { status: 'needs_approval,needs_answer' } },
  { name: 'Slowest in 24 hours', search: { range: '24h', sort: '-duration' } },
]

const maxViews = 20
const maxName = 60

/** The saved views of an account in this browser. */
export interface ViewStore {
  read(): readonly SavedView[]
  /** Saves a view; one with the same name is replaced, and the oldest is dropped beyond the bound. Returns false where the browser refuses. */
  save(view: SavedView): boolean
  remove(name: string): void
}

/** `storage` is a function, because reading `localStorage` throws in a browser that blocks it. */
export function createViewStore(storage: () => Storage, account: string): ViewStore {
  const key = `tutti-execution-views/${account}`

  function read(): readonly SavedView[] {
    try {
      const stored: unknown = JSON.parse(storage().getItem(key) ?? '[]')
      return Array.isArray(stored) ? stored.flatMap(readView).slice(-maxViews) : []
    } catch {
      return []
    }
  }

  function write(views: readonly SavedView[]): boolean {
    try {
      storage().setItem(key, JSON.stringify(views))
      return true
    } catch {
      return false
    }
  }

  return {
    read,
    save: ({ name, search }) =>
      write(
        [
          ...read().filter((view) => view.name !== name),
          { name: name.trim().slice(0, maxName), search },
        ].slice(-maxViews),
      ),
    remove: (name) => void write(read().filter((view) => view.name !== name)),
  }
}

function readView(stored: unknown): readonly SavedView[] {
  if (typeof stored !== 'object' || stored === null) return []
  const { name, search } = stored as Partial<Record<keyof SavedView, unknown>>
  if (typeof name !== 'string' || name === '' || typeof search !== 'object' || search === null) return []
  return [{ name: name.slice(0, maxName), search: readExecutionSearch({ ...search }) }]
}
