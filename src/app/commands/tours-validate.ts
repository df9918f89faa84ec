import type { RecipeFinding } from '#tours'
import { count } from './flow-file.ts'
import { oneLine } from './run/printable.ts'
import { nameOf, openRecipeAt } from './tours-file.ts'

interface ValidateOptions {
  readonly json?: true
  /** Warnings count as errors. */
  readonly strict?: true
}

/** `tutti tours validate`: what a site would make of a recipe. Answers whether it is sound. */
export async function validateRecipe(place: string, { json, strict }: ValidateOptions): Promise<boolean> {
  const { findings, tours } = await openRecipeAt(place)
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.filter(({ severity }) => severity === 'warning').length
  const isSound = errors === 0 && (strict === undefined || warnings === 0)
  if (json === true) {
    console.log(JSON.stringify({ sound: isSound, findings }, null, 2))
    return isSound
  }
  const print = isSound ? console.log : console.error
  const labels = tours
    .map(({ label, tips }) => `${oneLine(label)} (${count(tips.length, 'step')})`)
    .join(', ')
  if (errors + warnings === 0) print(`${nameOf(place)} is a sound recipe: ${labels}`)
  else print(`${nameOf(place)} has ${count(errors, 'error')} and ${count(warnings, 'warning')}:`)
  for (const finding of findings) print(describe(finding))
  return isSound
}

function describe({ severity, file, path, line, message }: RecipeFinding): string {
  const place = [file, ...(line === null ? [] : [line])].join(':')
  return `  ${severity.padEnd(7)}  ${oneLine([place, path].filter((part) => part !== '').join(' '))}\n           ${oneLine(message)}`
}
