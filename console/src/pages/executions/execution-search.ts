import { readText } from '../../parts/read-search.ts'
import { readSort, writeSort } from '../../parts/table-sort.ts'
import { readRange, type TimeRange } from '../../parts/time-range.ts'
import { hideableColumns } from './execution-columns.ts'
import { listedStates, triggerWords } from './execution-words.ts'
import { liveKinds } from './live/live-words.ts'

/** The search parameters of the list of executions, and of their events in real time. Lists are separated by commas. */
export interface ExecutionSearch extends TimeRange {
  /** What the executions do, such as `failed,running`. */
  status?: string
  /** The ids of workflows. */
  flow?: string
  trigger?: string
  account?: string
  version?: number
  error?: string
  /** Durations in seconds. */
  min?: number
  max?: number
  /** The start of an id. */
  id?: string
  /** The order: `-duration` is the longest first. */
  sort?: string
  /** The columns that are not shown. */
  hide?: string
  /** Shows events in real time instead of the list. */
  view?: 'live'
  /** The type of the events in real time. */
  kind?: string
}

export const executionSorts = ['created', 'duration', 'cost'] as const

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/
const flowId = /^(?:draft:)?[a-z0-9][a-z0-9_-]{0,63}$/
const maxFlows = 20

/** Parses the search parameters and drops invalid values. */
export function readExecutionSearch(address: Record<string, unknown>): ExecutionSearch {
  if (address['view'] === 'live') {
    const kind = readText(address['kind'])
    return { view: 'live', ...(kind === undefined || !Object.hasOwn(liveKinds, kind) ? {} : { kind }) }
  }
  const account = readText(address['account'])?.toLowerCase()
  const id = readText(address['id'])?.toLowerCase()
  const error = readText(address['error'])
  const version = readNumber(address['version'])
  return withoutAbsent({
    status: readListOf(address['status'], (state) => listedStates.some((known) => known === state)),
    flow: readListOf(address['flow'], (flow) => flowId.test(flow), maxFlows),
    ...readRange(address),
    trigger: readListOf(address['trigger'], (trigger) => Object.hasOwn(triggerWords, trigger)),
    account: account !== undefined && uuid.test(account) ? account : undefined,
    version: version !== undefined && Number.isInteger(version) && version > 0 ? version : undefined,
    error: error !== undefined && error.length <= 100 ? error : undefined,
    min: readNumber(address['min']),
    max: readNumber(address['max']),
    id: id !== undefined && /^[\da-f-]{1,36}$/.test(id) ? id : undefined,
    sort: writeSort(readSort(address['sort'], executionSorts)),
    hide: readListOf(address['hide'], (column) => hideableColumns.some((known) => known.id === column)),
  })
}

/** The parts of a list in the address. */
export function listOf(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(',')
}

/** The list with or without an entry. */
export function toggled(text: string | undefined, entry: string): string | undefined {
  const before = listOf(text)
  const after = before.includes(entry) ? before.filter((one) => one !== entry) : [...before, entry]
  return after.length === 0 ? undefined : after.join(',')
}

/** The distinct valid entries of a list, undefined when there are none. */
function readListOf(value: unknown, isValid: (entry: string) => boolean, max = 50): string | undefined {
  const entries = [...new Set(listOf(readText(value)).filter(isValid))].slice(0, max)
  return entries.length === 0 ? undefined : entries.join(',')
}

function readNumber(value: unknown): number | undefined {
  const text = readText(value)
  const number = Number(text)
  return text !== undefined && Number.isFinite(number) && number >= 0 && number <= 10_000_000
    ? number
    : undefined
}

function withoutAbsent<Given extends object>(given: Given) {
  type Present = { [Key in keyof Given]?: Exclude<Given[Key], undefined> }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present
}
