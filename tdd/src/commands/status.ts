import { effectiveLevel } from '../config/config.ts'
import { greenHolds } from '../evidence/run-evidence.ts'
import { complianceScore, qualityScore, type Score } from '../evidence/scores.ts'
import { countTrackedFiles } from '../git/tracked-files.ts'
import { projectType } from '../hook/status-line.ts'
import { readLog } from '../state/log.ts'
import { isProven, type PackageState, packageInForce } from '../state/state.ts'
import { readState } from '../state/store.ts'
import { readTeam, totalOf } from '../team/metrics.ts'
import { validate } from '../validate/validate.ts'
import { shareWhenAsked } from './share.ts'
import { restoreFirst, type Scene, type Surroundings, sceneOf } from './surroundings.ts'

const scoredMs = 90 * 24 * 60 * 60 * 1000

export interface StatusOptions {
  readonly json: boolean
  readonly team: boolean
  readonly folder: string | undefined
}

/** `tutti-tdd status`. */
export function status(surroundings: Surroundings, { json, team, folder }: StatusOptions): void {
  restoreFirst(surroundings, folder)
  const scene = sceneOf(surroundings, folder)
  shareWhenAsked(scene, surroundings)
  const facts = gather(scene, surroundings.now)
  if (json) surroundings.print(JSON.stringify(facts, null, 2))
  else for (const line of [...describe(facts), ...(team ? describeTeam(facts) : [])]) surroundings.print(line)
}

/** The text that `/tdd-status` adds to a prompt. */
export function statusText(surroundings: Surroundings): string {
  return describe(gather(sceneOf(surroundings), surroundings.now)).join('\n')
}

type Facts = ReturnType<typeof gather>

function gather(scene: Scene, now: Date) {
  const { project, packageName, config, problems } = scene
  const state = readState(project)
  const current = packageInForce(state, packageName)
  const name = current?.name ?? '.'
  const { violations, coverage } = validate({ project, packageName, state, config, preCommit: false })
  const log = readLog(project, new Date(now.getTime() - scoredMs)).filter((entry) => entry.package === name)
  const members = readTeam(project)
  return {
    root: project.root,
    package: name,
    phase: current?.state.phase ?? 'unknown',
    feature: current?.state.feature ?? '',
    since: current?.state.since,
    session: state.session,
    suspendedAt: state.suspendedAt,
    level: effectiveLevel(config, state),
    project: {
      type: projectType(project.root, config),
      language: config.project.language,
      framework: config.project.framework,
    },
    trackedFiles: countTrackedFiles(project.root),
    coverage: { ...coverage, threshold: config.testing.coverageThreshold },
    evidence: evidenceOf(current?.state),
    quality: qualityScore({
      coveragePercent: coverage.percent,
      coverageThreshold: config.testing.coverageThreshold,
      lastRun: current?.state.lastRun,
      expectedFailures: expectedFailures(current?.state),
      violations: violations.length,
    }),
    compliance: complianceScore(log),
    violations: violations.length,
    packages: Object.fromEntries(Object.entries(state.packages).map(([key, value]) => [key, value.phase])),
    problems,
    team: { members: new Set(members.map(({ member }) => member)).size, total: totalOf(members) },
  }
}

function expectedFailures(current: PackageState | undefined): number {
  if (current?.phase !== 'RED') return 0
  return (current.red?.failing.length ?? 0) + (current.red?.failedSuites.length ?? 0)
}

function evidenceOf(current: PackageState | undefined) {
  return {
    redProven: current !== undefined && isProven(current),
    failing: current?.red?.failing ?? [],
    failedSuites: current?.red?.failedSuites ?? [],
    greenHolds: current?.green === undefined ? undefined : greenHolds(current.green),
    lastRun: current?.lastRun,
    lint: current?.phase === 'REFACTOR' ? current.lint : undefined,
  }
}

function describe(facts: Facts): string[] {
  const { coverage, evidence, project } = facts
  const percent = coverage.percent === undefined ? 'unknown' : `${coverage.percent}%`
  const why =
    coverage.newerFile !== undefined
      ? ` (${coverage.newerFile} is newer than ${coverage.file ?? 'the report'})`
      : coverage.file === undefined
        ? ' (no report)'
        : ''
  const kind = [project.type, project.language, project.framework].filter(
    (part, at, all) => part !== undefined && all.indexOf(part) === at,
  )
  const others = Object.entries(facts.packages).filter(([name]) => name !== facts.package)
  return [
    `Phase:      ${facts.phase}${facts.feature === '' ? '' : `, ${facts.feature}`}${facts.package === '.' ? '' : ` (${facts.package})`}`,
    `Level:      ${facts.level}${facts.suspendedAt === undefined ? '' : `, suspended since ${facts.suspendedAt}; tutti-tdd on resumes`}${facts.session === undefined ? ', no session started' : ''}`,
    `Coverage:   ${percent} of ${coverage.threshold}% wanted${why}`,
    `Quality:    ${describeScore(facts.quality, 'no run and no coverage report yet')}`,
    `Compliance: ${describeScore(facts.compliance, 'no cycle was recorded yet')}`,
    `Evidence:   ${describeEvidence(facts.phase, evidence)}${describeLint(evidence)}`,
    `Project:    ${kind.join(', ')}, ${facts.trackedFiles} files tracked`,
    ...(others.length === 0
      ? []
      : [
          `Packages:   ${others.map(([name, phase]) => `${name === '.' ? 'root' : name} ${phase}`).join(', ')}`,
        ]),
    ...(facts.violations === 0 ? [] : [`Violations: ${facts.violations}; tutti-tdd validate names them`]),
    ...facts.problems.map((problem) => `Problem:    ${problem}`),
  ]
}

function describeScore({ value, parts }: Score, whyNot: string): string {
  if (value === undefined) return `unknown, ${whyNot}`
  return `${value} of 100 (${parts.map((part) => `${part.name} ${part.value}`).join(', ')})`
}

function describeEvidence(
  phase: string,
  { redProven, failing, failedSuites, greenHolds: holds, lastRun }: Facts['evidence'],
): string {
  if (lastRun === undefined) return 'none; tutti-tdd run records it'
  const red = redProven
    ? `RED proven by ${failing.length > 0 ? failing.slice(0, 3).join(', ') : `${failedSuites.join(', ')} (could not be loaded)`}${failing.length > 3 ? ` and ${failing.length - 3} more` : ''}`
    : 'no test was seen failing'
  if (phase === 'RED' || phase === 'unknown') return red
  return `${red}; ${holds === undefined ? 'no run since' : holds ? `${phase} holds` : `${phase} does not hold`}`
}

function describeLint({ lint }: Facts['evidence']): string {
  if (lint === undefined) return ''
  const outcomes = { passed: 'lint passes', failed: 'lint fails', unknown: 'lint unknown' }
  return `; ${outcomes[lint.outcome]} (${lint.command})`
}

function describeTeam({ team: { members, total } }: Facts): string[] {
  if (members === 0) return ['Team:       no numbers; set team.sharedMetrics and commit .tdd/metrics']
  return [
    `Team:       ${members === 1 ? '1 member' : `${members} members`}, ${total.cycles} cycles, ${total.provenRed} with a proven RED, ${total.heldGreen} of ${total.runs} runs held GREEN, ${total.blockedEdits} edits blocked, ${total.misplacedEdits} let through in the wrong phase`,
  ]
}
