/**
 * `npm run check`: runs every check that needs no server, concurrently, and prints the result of each. Each finding fails it; a test run
 * refuses less:
 *
 * | effect        | found by `npm run check` | found by `npm test`                  |
 * |---------------|--------------------------|--------------------------------------|
 * | breaks        | fails                    | fails                                |
 * | untidy        | fails                    | is printed                           |
 * | written       | fails                    | not checked: test runs write it anew |
 */
import { runCommand } from './run-command.ts'

const node = process.execPath

interface Check {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Of what it finds. */
  readonly effect: 'breaks' | 'untidy' | 'written'
}

/** Parallel checkers compute the same types: one takes little more than half the processor time of four. */
const checkTypes = (project: string) => ({
  command: node,
  args: ['node_modules/typescript-native/bin/tsc', '--checkers', '1', '-p', project],
  effect: 'breaks' as const,
})

const checks: readonly Check[] = [
  { name: 'types', ...checkTypes('tsconfig.json') },
  { name: 'console types', ...checkTypes('console/tsconfig.json') },
  { name: 'player types', ...checkTypes('player/tsconfig.json') },
  { name: 'documentation site types', ...checkTypes('scripts/docs-site/client/tsconfig.json') },
  {
    name: 'lint',
    command: 'oxlint',
    args: ['--type-aware', '--deny-warnings'],
    // The type-aware rules have checkers of their own.
    env: { GOMAXPROCS: '1' },
    effect: 'breaks',
  },
  { name: 'import directions', command: node, args: ['scripts/check-imports.ts'], effect: 'breaks' },
  { name: 'format', command: 'biome', args: ['check', '--error-on-warnings', '.'], effect: 'written' },
  { name: 'unused code', command: 'knip', args: ['--no-progress'], effect: 'untidy' },
  { name: 'language', command: node, args: ['scripts/check-language.ts'], effect: 'untidy' },
  { name: 'links of documents', command: node, args: ['scripts/check-links.ts'], effect: 'untidy' },
  { name: 'generated files', command: node, args: ['scripts/generate.ts', '--check'], effect: 'written' },
]

interface CheckTotals {
  readonly passed: number
  readonly failed: number
}

/** Runs all checks, two at once, and prints the result of each. */
export function runChecks(): Promise<CheckTotals> {
  return runEach(checks, { atOnce: 2, fails: () => true })
}

/** Runs the checks of a test run. Tests wait for processes and databases; one check at a time uses the processors meanwhile. */
export function runChecksBesideTests(): Promise<CheckTotals> {
  const checked = checks.filter(({ effect }) => effect !== 'written')
  return runEach(checked, { atOnce: 1, fails: ({ effect }) => effect === 'breaks' })
}

interface RunOptions {
  readonly atOnce: number
  readonly fails: (check: Check) => boolean
}

async function runEach(list: readonly Check[], { atOnce, fails }: RunOptions): Promise<CheckTotals> {
  let passed = 0
  let failed = 0
  const waiting = [...list]
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const { ok, output, seconds } = await runCommand(check.command, check.args, check.env)
      const hasFailed = !ok && fails(check)
      console.log(`${ok ? '✓' : hasFailed ? '✗' : '!'} ${check.name} (${seconds.toFixed(1)} s)`)
      if (!ok) console.log(output.trimEnd())
      if (ok) passed += 1
      else if (hasFailed) failed += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { passed, failed }
}

if (import.meta.main) {
  const { failed } = await runChecks()
  process.exitCode = failed === 0 ? 0 : 1
}
