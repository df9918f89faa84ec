import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isMisplaced } from '../evidence/scores.ts'
import { runGit } from '../git/run-git.ts'
import { type Project, stateFolder } from '../project/locate.ts'
import { writeFileAtomically } from '../state/atomic-file.ts'
import { createFolder } from '../state/create-folder.ts'
import { type LogEntry, readLog } from '../state/log.ts'

const counters = ['cycles', 'provenRed', 'runs', 'heldGreen', 'blockedEdits', 'misplacedEdits'] as const

/** The counters of a month. They only grow, so that two copies of a file merge by the larger number. */
export type Counts = Readonly<Record<(typeof counters)[number], number>>

/** One person in one checkout. Only this checkout writes the file, so that git has no conflicts in it. */
export interface MemberMetrics {
  readonly version: 1
  readonly member: string
  readonly months: Readonly<Record<string, Counts>>
}

const zeroCounts: Counts = {
  cycles: 0,
  provenRed: 0,
  runs: 0,
  heldGreen: 0,
  blockedEdits: 0,
  misplacedEdits: 0,
}
const retentionMs = 180 * 24 * 60 * 60 * 1000

/** Updates this member's file in `.tdd/metrics` from the log. */
export function shareMetrics(project: Project, now: Date): void {
  const member = memberOf(project)
  const file = `${metricsFolder(project)}/${member.id}.json`
  const counted: MemberMetrics = {
    version: 1,
    member: member.name,
    months: countMonths(readLog(project, new Date(now.getTime() - retentionMs))),
  }
  const known = readMetrics(file)
  const merged = known === undefined ? counted : mergeCopies(known, counted)
  const text = `${JSON.stringify(merged, null, 2)}\n`
  if (known === undefined || `${JSON.stringify(known, null, 2)}\n` !== text) writeFileAtomically(file, text)
}

/** The metrics of all members. */
export function readTeam(project: Project): MemberMetrics[] {
  let names: string[]
  try {
    names = readdirSync(metricsFolder(project))
  } catch {
    return []
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => readMetrics(`${metricsFolder(project)}/${name}`) ?? [])
}

/** Merges two copies of one member's file without losing counts. */
export function mergeCopies(one: MemberMetrics, other: MemberMetrics): MemberMetrics {
  const months = [...new Set([...Object.keys(one.months), ...Object.keys(other.months)])].sort()
  return {
    ...other,
    months: Object.fromEntries(
      months.map((month) => [
        month,
        combine(one.months[month] ?? zeroCounts, other.months[month] ?? zeroCounts, Math.max),
      ]),
    ),
  }
}

/** The sum over members and months. */
export function totalOf(members: readonly MemberMetrics[]): Counts {
  return members
    .flatMap(({ months }) => Object.values(months))
    .reduce((sum, counts) => combine(sum, counts, (a, b) => a + b), zeroCounts)
}

function countMonths(entries: readonly LogEntry[]): Record<string, Counts> {
  const months: Record<string, Counts> = {}
  for (const entry of entries) {
    const month = entry.at.slice(0, 7)
    months[month] = combine(months[month] ?? zeroCounts, countsOf(entry), (a, b) => a + b)
  }
  return months
}

function countsOf(entry: LogEntry): Counts {
  if (entry.kind === 'run') return { ...zeroCounts, runs: 1, heldGreen: entry.held === true ? 1 : 0 }
  if (entry.kind === 'phase') {
    const cycle = entry.to === 'GREEN' && entry.from === 'RED' ? 1 : 0
    return { ...zeroCounts, cycles: cycle, provenRed: entry.redProven === true ? cycle : 0 }
  }
  const blocked = entry.outcome === 'blocked'
  return {
    ...zeroCounts,
    blockedEdits: blocked ? 1 : 0,
    misplacedEdits: !blocked && isMisplaced(entry) ? 1 : 0,
  }
}

function combine(one: Counts, other: Counts, pick: (a: number, b: number) => number): Counts {
  return Object.fromEntries(counters.map((name) => [name, pick(one[name] ?? 0, other[name] ?? 0)])) as Counts
}

function readMetrics(file: string): MemberMetrics | undefined {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Partial<MemberMetrics> | null
    const usable =
      found?.version === 1 && typeof found.member === 'string' && typeof found.months === 'object'
    return usable ? (found as MemberMetrics) : undefined
  } catch {
    return undefined
  }
}

function metricsFolder({ root }: Project): string {
  return `${root}/${stateFolder}/metrics`
}

/** The member, by the git user name; the file is named after the checkout. */
function memberOf({ root }: Project): { id: string; name: string } {
  const id = checkoutId(`${root}/${stateFolder}/log`)
  const name = runGit(root, ['config', 'user.name'])?.trim() ?? ''
  return { id, name: name === '' ? id : name }
}

/** A unique id of this checkout, stored beside the log: the counts of one log are written to one file only. */
function checkoutId(folder: string): string {
  const file = `${folder}/checkout-id`
  createFolder(folder)
  try {
    writeFileSync(file, randomBytes(6).toString('hex'), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').replace(/[^0-9a-f]/g, '')
}
