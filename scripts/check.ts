/** `npm run check`: runs every check that needs no server, concurrently, and prints the result of each. */
import { runCommand } from './run-command.ts'

const node = process.execPath

interface Check {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Parallel checkers compute the same types: one takes little more than half the processor time of four. */
const checkTypes = (project: string) => ({
  command: node,
  args: ['node_modules/typescript-native/bin/tsc', '--checkers', '1', '-p', project],
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
  },
  { name: 'format', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'unused code', command: 'knip', args: ['--no-progress'] },
  { name: 'import directions', command: node, args: ['scripts/check-imports.ts'] },
  { name: 'language', command: node, args: ['scripts/check-language.ts'] },
  { name: 'generated files', command: node, args: ['scripts/generate.ts', '--check'] },
]

export interface CheckTotals {
  readonly passed: number
  readonly failed: number
}

/** Runs all checks and prints the result of each. */
export async function runChecks({ atOnce = 2 } = {}): Promise<CheckTotals> {
  let passed = 0
  let failed = 0
  const waiting = [...checks]
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const { ok, output, seconds } = await runCommand(check.command, check.args, check.env)
      console.log(`${ok ? '✓' : '✗'} ${check.name} (${seconds.toFixed(1)} s)`)
      if (ok) passed += 1
      else {
        failed += 1
        console.log(output.trimEnd())
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { passed, failed }
}

if (import.meta.main) {
  const { failed } = await runChecks()
  process.exitCode = failed === 0 ? 0 : 1
}
