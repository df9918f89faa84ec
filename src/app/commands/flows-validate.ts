import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { checkFlow } from '#engine'
import { type Problem, UserMistake } from '#kernel/errors'

const largestFileBytes = 1024 * 1024

/** Checks the definition in a file and prints what it finds. Answers whether the flow could be saved. */
export async function validateFlow(file: string): Promise<boolean> {
  const { definition, problems, warnings, requiredInputs } = checkFlow(
    definitionIn(parse(await read(file), file)),
  )
  if (definition === undefined) {
    console.error(`${nameOf(file)} has ${count(problems.length, 'problem')}:`)
    printAll(problems, console.error)
    return false
  }
  console.log(`${nameOf(file)} is a flow with ${count(definition.steps.length, 'step')}: ${definition.label}`)
  if (requiredInputs.length > 0) console.log(`  needs in its context: ${requiredInputs.join(', ')}`)
  printAll(warnings, console.log)
  return true
}

function printAll(problems: readonly Problem[], print: (line: string) => void): void {
  for (const { path, message } of problems) print(`  ${path === '' ? '' : `${path}: `}${message}`)
}

async function read(file: string): Promise<string> {
  try {
    const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
    if (Buffer.byteLength(content) <= largestFileBytes) return content
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new UserMistake(`${file} cannot be read (${code}).`, { cause: error })
  }
  throw new UserMistake(`${nameOf(file)} is larger than 1 MB.`)
}

function parse(content: string, file: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserMistake(`${nameOf(file)} is not JSON: ${reason}`, { cause: error })
  }
}

/** What the API takes has the definition inside. */
function definitionIn(content: unknown): unknown {
  const isWrapped = typeof content === 'object' && content !== null && 'flow_definition' in content
  return isWrapped ? content.flow_definition : content
}

function nameOf(file: string): string {
  return file === '-' ? 'Standard input' : file
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
