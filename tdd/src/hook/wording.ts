import type { Judgement, Question, Rule } from './rules.ts'

/** A file that a rule has something to say about. */
export interface Finding {
  readonly path: string
  readonly class: Question['class']
  readonly rule: Rule
  readonly outcome: Exclude<Judgement['outcome'], 'allow'>
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

/** Says what is wrong with which files, by which rule, and what to do next. */
export function describe(findings: readonly Finding[]): string {
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
