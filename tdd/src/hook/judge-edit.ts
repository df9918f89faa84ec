import { readFileSync, statSync } from 'node:fs'
import { classify, type UserRule } from '../classify/classify.ts'
import { type Config, effectiveLevel } from '../config/config.ts'
import { configFile, locate, type Place, type Project, projectAt, stateFolder } from '../places/locate.ts'
import type { HookCall, Verdict, Write } from '../protocols/protocol.ts'
import type { LogEntry } from '../state/log.ts'
import { packageInForce, type State } from '../state/state.ts'
import { isHookSettings } from './hook-settings.ts'
import { isGuarded, judge, type Question } from './rules.ts'
import type { CommandEffects } from './shell/read-command.ts'
import { describe, type Finding } from './wording.ts'

/** What is known about the project a file lies in. */
interface ProjectKnowledge {
  readonly config: Config
  readonly state: State
}

export interface EditDependencies {
  readonly agent: string
  readonly now: Date
  know(project: Project): ProjectKnowledge
  /** Finds the files a shell command writes, and whether it lifts the rules. */
  readCommand(command: string, cwd: string): CommandEffects
  /** Keeps what was seen; called once for each project with something to keep. */
  remember(project: Project, entries: readonly LogEntry[]): void
}

export interface JudgedEdit extends Verdict {
  /** The projects in which something was denied. */
  readonly deniedIn: readonly { readonly project: Project; readonly config: Config }[]
}

/** Judges every file of a tool call: one that is denied denies the call, and all that count are named. */
export function judgeEdit(call: HookCall, dependencies: EditDependencies): JudgedEdit {
  const { writes = [], releases = [] } =
    call.command === undefined ? {} : dependencies.readCommand(call.command, call.cwd)
  const subjects: readonly Subject[] = [
    ...(call.writes ?? []).map((write) => ({ place: placeOf(write, call.cwd), write, shell: false })),
    ...writes.map((write) => ({ place: placeOf(write, call.cwd), write, shell: true })),
    ...releases.map(({ command, folder }) => ({ place: releaseAt(folder, command), shell: true })),
  ]
  const findings: Finding[] = []
  const deniedIn: { project: Project; config: Config }[] = []
  const entries = new Map<Project, LogEntry[]>()
  for (const { place, ...subject } of subjects) {
    if (place === undefined) continue
    const known = dependencies.know(place.project)
    const { entry, finding } = judgeOne(place, subject, known, dependencies)
    if (finding !== undefined) findings.push(finding)
    if (finding?.outcome === 'deny' && !deniedIn.some(({ project }) => project.root === place.project.root))
      deniedIn.push({ project: place.project, config: known.config })
    if (entry !== undefined && place.project.marked)
      entries.set(place.project, [...(entries.get(place.project) ?? []), entry])
  }
  for (const [project, kept] of entries) dependencies.remember(project, kept)
  const refused = findings.filter(({ outcome }) => outcome === 'deny')
  if (refused.length > 0) return { denied: describe(refused), deniedIn }
  return { ...(findings.length > 0 ? { context: describe(findings) } : {}), deniedIn: [] }
}

/** A file that is written, or a command that lifts the rules, which writes none. */
interface Subject {
  readonly place: Place | undefined
  readonly write?: Write
  readonly shell: boolean
}

/** Where a file lies. Settings outside of a project that is kept test-first still matter to the one the assistant works in. */
function placeOf({ path, kind }: Write, cwd: string): Place | undefined {
  const place = locate(path, cwd)
  if (place?.project.marked === true || !isHookSettings(path, kind)) return place
  return { project: projectAt(cwd), path, package: '.', pathInPackage: path }
}

function releaseAt(folder: string, command: string): Place {
  return { project: projectAt(folder), path: `\`${command}\``, package: '.', pathInPackage: '' }
}

function judgeOne(
  place: Place,
  { write, shell }: Omit<Subject, 'place'>,
  { config, state }: ProjectKnowledge,
  { agent, now }: EditDependencies,
): { entry?: LogEntry; finding?: Finding } {
  const kind = write === undefined ? 'release' : classOf(place, write, config)
  if (isGuarded(kind)) {
    if (!place.project.marked && kind !== 'state' && kind !== 'rules') return {}
  } else if (write?.kind === 'attributes') return {}
  // `git log > notes` is no program, and a name without an ending says too little to accuse anybody.
  if (shell && kind === 'implementation' && !/\.[^/]*$/.test(place.path)) return {}
  const current = packageInForce(state, place.package)
  const phase = current?.state.phase ?? 'unknown'
  const inlineTests =
    kind === 'implementation' && phase === 'RED' && write !== undefined && holdsItsTests(place, write)
  const judgement = judge({
    phase,
    class: kind,
    level: effectiveLevel(config, state),
    enforceWorkflow: config.tdd.enforceWorkflow,
    requireTestFirst: config.tdd.requireTestFirst && place.project.marked,
    inlineTests,
  })
  const entry: LogEntry | undefined =
    kind === 'generated' || kind === 'neutral' || (isGuarded(kind) && kind !== 'state')
      ? undefined
      : {
          at: now.toISOString(),
          kind: 'edit',
          package: current?.name ?? '.',
          agent,
          phase,
          class: kind,
          path: place.path,
          outcome: ({ allow: 'allowed', warn: 'warned', deny: 'blocked' } as const)[judgement.outcome],
        }
  const seen = entry === undefined ? {} : { entry }
  if (judgement.outcome === 'allow') return seen
  const feature = current?.state.feature ?? ''
  return { ...seen, finding: { path: place.path, class: kind, feature, inlineTests, ...judgement } }
}

function classOf(place: Place, { kind }: Write, config: Config): Question['class'] {
  if (place.path.startsWith(`${stateFolder}/`) || place.path === stateFolder) return 'state'
  if (place.path === configFile) return 'rules'
  if (isHookSettings(place.path, kind)) return 'hooks'
  const rules = config.files.map(
    (rule): UserRule => ({ class: rule.class, pattern: new RegExp(rule.source) }),
  )
  return classify(place, { rules, framework: config.project.framework })
}

const rustTest = /#\[(?:cfg\(test\)|(?:\w+::)*test\b)/
const largestRead = 1_000_000

/** Rust keeps unit tests in the file they test: an edit there may well be the test that RED asks for. */
function holdsItsTests({ project, path }: Place, { text }: Write): boolean {
  if (!path.endsWith('.rs')) return false
  if (text !== undefined && rustTest.test(text)) return true
  const file = `${project.root}/${path}`
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size > 0 && size < largestRead && rustTest.test(readFileSync(file, 'utf8'))
}
