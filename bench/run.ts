import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { Benchmark, Measurement, Stage } from './benchmark.ts'
import { type Line, summarise } from './summary.ts'

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
})
const rounds = Number(options.rounds)

const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`./${entry.name}/bench.ts`, import.meta.url)))
  .map((entry) => entry.name)
  .sort()
const unknown = chosen.filter((name) => !names.includes(name))

if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  print(`Usage: npm run bench [name…] [-- --rounds N]\nBenchmarks: ${names.join(', ')}`)
  process.exitCode = 1
} else {
  for (const name of chosen.length > 0 ? chosen : names) await run(name)
}

async function run(name: string): Promise<void> {
  const { default: benchmark } = (await import(`./${name}/bench.ts`)) as { default: Benchmark }
  print(`\n${name}: ${benchmark.question}`)
  await using stage = await benchmark.setUp()
  print(describeMachine(stage))
  const lines = summarise(benchmark, await measureInTurns(stage))
  printTable(lines)
  print(`${benchmark.better} is better; median and spread of ${rounds} rounds`)
}

/** Each round measures every contender once, so that a slow minute of the machine affects all of them. */
async function measureInTurns({ contenders }: Stage): Promise<Map<string, Measurement[]>> {
  const results = new Map<string, Measurement[]>(contenders.map(({ name }) => [name, []]))
  for (const contender of contenders) await contender.measure()
  for (let round = 0; round < rounds; round++) {
    const turn = round % 2 === 0 ? contenders : contenders.toReversed()
    for (const contender of turn) results.get(contender.name)?.push(await contender.measure())
  }
  return results
}

function describeMachine({ versions }: Stage): string {
  const all = { Node: process.versions.node, ...versions }
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  return `${Object.entries(all)
    .map(([what, version]) => `${what} ${version}`)
    .join(', ')}, ${availableParallelism()} CPUs (${model})`
}

function printTable(lines: readonly Line[]): void {
  const columns = Object.keys(lines[0] ?? {})
  const rows = [
    columns,
    columns.map(() => '-'),
    ...lines.map((line) => columns.map((column) => line[column] ?? '')),
  ]
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  for (const row of rows) {
    const cells = row.map((cell, index) =>
      cell === '-' ? cell.repeat(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
    )
    print(`| ${cells.join(' | ')} |`)
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
