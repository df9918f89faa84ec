import { readFileSync, statSync } from 'node:fs'
import { classify, type UserRule } from '../classify/classify.ts'
import { type Config, effectiveLevel, enforces } from '../config/config.ts'
import {
  configFile,
  inOuterProject,
  locate,
  type Place,
  type Project,
  projectAt,
  projectSinceMs,
  stateFolder,
} from '../project/locate.ts'
import type { HookCall, HookDecision, Write } from '../protocols/protocol.ts'
import type { LogEntry } from '../state/log.ts'
import { packageInForce, type State } from '../state/state.ts'
import { applyRules, isGuarded, type Question, type Rule, type RuleOutcome } from './rules.ts'
import type { CommandEffects } from './shell/read-command.ts'

interface ProjectKnowledge {
  readonly config: Config
  readonly state: State
}

export interface EditDependencies {
  readonly agent: string
  readonly now: Date
  know(project: Project): ProjectKnowledge
  /** Finds the files a shell command writes, and whether it suspends the rules. */
  readCommand(command: string, cwd: string): CommandEffects
  /** Appends to the log; called once for each project with entries. */
  remember(project: Project, entries: readonly LogEntry[]): void
}

export interface CheckedEdit extends HookDecision {
  /** The projects in which something was denied. */
  readonly deniedIn: readonly { readonly project: Project; readonly config: Config }[]
}

/** Checks every file of a tool call: one denied file denies the call, and the message names all of them. */
export function checkEdit(call: HookCall, dependencies: EditDependencies): CheckedEdit {
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
  for (const { place: located, ...subject } of subjects) {
    if (located === undefined) continue
    const place = underEnforcedProject(located, dependencies)
    const known = dependencies.know(place.project)
    const { entry, finding } = checkFile(place, subject, known, dependencies)
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

/** A written file, or a command that suspends the rules, which writes none. */
interface Subject {
  readonly place: Place | undefined
  readonly write?: Write
  readonly shell: boolean
}

/** Locates a file. Settings outside of every project belong to the project the assistant works in. */
function placeOf({ path, kind }: Write, cwd: string): Place | undefined {
  const place = locate(path, cwd)
  if (place?.project.marked === true || !isHookSettings(path, kind)) return place
  return { project: projectAt(cwd), path, package: '.', pathInPackage: path }
}

/**
 * A folder that became a project while the one around it was enforced belongs to that one still: `mkdir src/.tdd` would lift
 * its rules otherwise.
 */
function underEnforcedProject(place: Place, dependencies: EditDependencies): Place {
  const outer = inOuterProject(place)
  if (outer === undefined || enforces(dependencies.know(place.project))) return place
  const around = dependencies.know(outer.project)
  if (!enforces(around)) return place
  const { session, packages } = around.state
  const since = session?.startedAt ?? Object.values(packages)[0]?.since
  return since !== undefined && projectSinceMs(place.project) >= Date.parse(since) ? outer : place
}

function releaseAt(folder: string, command: string): Place {
  return { project: projectAt(folder), path: `\`${command}\``, package: '.', pathInPackage: '' }
}

function checkFile(
  place: Place,
  { write, shell }: Omit<Subject, 'place'>,
  { config, state }: ProjectKnowledge,
  { agent, now }: EditDependencies,
): { entry?: LogEntry; finding?: Finding } {
  const kind = write === undefined ? 'release' : classOf(place, write, config)
  if (isGuarded(kind) && !place.project.marked && kind !== 'state' && kind !== 'rules') return {}
  // `git log > notes` writes no source code: a name without an extension is weak evidence of an implementation.
  if (shell && kind === 'implementation' && !/\.[^/]*$/.test(place.path)) return {}
  const current = packageInForce(state, place.package)
  const phase = current?.state.phase ?? 'unknown'
  const inlineTests =
    kind === 'implementation' && phase === 'RED' && write !== undefined && holdsItsTests(place, write)
  const ruled = applyRules({
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
          outcome: ({ allow: 'allowed', warn: 'warned', deny: 'blocked' } as const)[ruled.outcome],
        }
  const seen = entry === undefined ? {} : { entry }
  if (ruled.outcome === 'allow') return seen
  const feature = current?.state.feature ?? ''
  return { ...seen, finding: { path: place.path, class: kind, feature, inlineTests, ...ruled } }
}

function classOf(place: Place, { kind }: Write, config: Config): Question['class'] {
  // Below the root too: such a file would make its folder a project of its own, without the rules of this one.
  const names = place.path.split('/')
  if (names.includes(stateFolder)) return 'state'
  if (names.at(-1) === configFile) return 'rules'
  if (isHookSettings(place.path, kind)) return 'hooks'
  const rules = config.files.map(
    (rule): UserRule => ({ class: rule.class, pattern: new RegExp(rule.source) }),
  )
  return classify(place, { rules, framework: config.project.framework })
}

const rustTest = /#\[(?:cfg\(test\)|(?:\w+::)*test\b)/
const maxRead = 1_000_000

/** Rust has unit tests in the file they test: an edit there may be the test that RED requires. */
function holdsItsTests({ project, path }: Place, { text }: Write): boolean {
  if (!path.endsWith('.rs')) return false
  if (text !== undefined && rustTest.test(text)) return true
  const file = `${project.root}/${path}`
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size > 0 && size < maxRead && rustTest.test(readFileSync(file, 'utf8'))
}

/** Files that make assistants and git call the hook, and the installed tool. */
const ownFiles =
  /(?:^|\/)(?:\.claude\/settings(?:\.local)?\.json|\.codex\/(?:hooks\.json|config\.toml)|\.gemini\/settings\.json|\.(?:cursor|windsurf)\/hooks\.json|\.github\/hooks\/[^/]+|\.kiro\/hooks\/[^/]+|\.opencode\/plugins?\/tutti-tdd\.js|\.husky\/.+|\.git\/(?:hooks\/.+|config)|\.gitconfig|pre-commit|node_modules\/tutti-tdd\/.+)$/

/** Folders that contain such files: deleting a folder deletes them. */
const folders =
  /(?:^|\/)(?:\.claude|\.codex|\.gemini|\.cursor|\.windsurf|\.kiro(?:\/hooks)?|\.opencode(?:\/plugins?)?|\.github(?:\/hooks)?|\.husky|\.git(?:\/hooks)?|node_modules\/tutti-tdd)$/

/** Whether a write changes files that call the hook. */
function isHookSettings(path: string, kind: Write['kind']): boolean {
  // Most paths contain no name with a leading dot; compiling the patterns for them would slow down every edit.
  if (
    !path.startsWith('.') &&
    !path.includes('/.') &&
    !path.endsWith('pre-commit') &&
    !path.includes('/tutti-tdd')
  )
    return false
  return ownFiles.test(path) || (kind !== 'write' && folders.test(path))
}

/** A file with a finding. */
interface Finding {
  readonly path: string
  readonly class: Question['class']
  readonly rule: Rule
  readonly outcome: Exclude<RuleOutcome['outcome'], 'allow'>
  readonly feature: string
  readonly inlineTests: boolean
}

interface Words {
  readonly why: string
  readonly next: (feature: string, denied: boolean) => string
}

function forThePerson(_feature: string, denied: boolean): string {
  return denied
    ? 'ask the person to do it in their own terminal or editor, or to run `tutti-tdd off` in their own terminal first.'
    : 'tell the person you work for what you change, and why.'
}

const words: Readonly<Record<Rule, Words>> = {
  'red-tests-only': {
    why: 'in RED only tests may change',
    next: (feature) =>
      `write a test that fails, see it fail with \`tutti-tdd run\`, then /tdd-green${feature}. A stub the test needs to compile is GREEN work too.`,
  },
  'green-tests-fixed': {
    why: 'in GREEN the tests stay as they were in RED',
    next: (feature) => `change the implementation instead; if the test itself is wrong, /tdd-red${feature}.`,
  },
  'refactor-keep-green': {
    why: 'in REFACTOR every test keeps passing',
    next: () => 'run `tutti-tdd run` after each step; new behaviour starts with /tdd-red <feature>.',
  },
  'test-first': {
    why: 'no phase was entered yet, and here a test comes first',
    next: () => '/tdd-red <feature>.',
  },
  'own-state': {
    why: 'what tutti-tdd keeps in .tdd is changed by its commands alone',
    next: () => '/tdd-status shows it; /tdd-red, /tdd-green and /tdd-refactor change it.',
  },
  'own-rules': {
    why: 'this file sets the rules you are held to',
    next: forThePerson,
  },
  'own-hooks': {
    why: 'these settings make sure that the rules are kept',
    next: forThePerson,
  },
  'own-release': {
    why: 'this command lifts the rules, which is for the person alone',
    next: forThePerson,
  },
}

/** The message: the files, the rule, and the next command. */
function describe(findings: readonly Finding[]): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))]
  return rules
    .map((rule) =>
      describeRule(
        rule,
        findings.filter((finding) => finding.rule === rule),
      ),
    )
    .join('\n')
}

function describeRule(rule: Rule, findings: readonly Finding[]): string {
  const { why, next } = words[rule]
  const denied = findings.some(({ outcome }) => outcome === 'deny')
  const files = findings.map((finding) => `${finding.path} (${nameOf(finding)})`).join(', ')
  const feature = findings.map((finding) => finding.feature).find((name) => name !== '')
  return `[TDD] ${denied ? 'Blocked' : 'Careful'}, rule ${rule}: ${why}. ${files}. Next: ${next(feature === undefined ? ' <feature>' : ` ${feature}`, denied)}`
}

function nameOf(finding: Finding): string {
  if (finding.class === 'state') return 'state of tutti-tdd'
  if (finding.class === 'rules') return 'configuration of tutti-tdd'
  if (finding.class === 'hooks') return 'settings of hooks'
  if (finding.class === 'release') return 'command'
  return finding.inlineTests ? 'implementation with its tests inside' : finding.class
}
