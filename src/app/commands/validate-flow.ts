import { checkWholeFlow } from '#engine'
import { printProblems, readFlowFile } from './flow-file.ts'
import { count } from './text.ts'

/** `tutti flows validate`: checks the flow in a file and prints the problems. Returns whether the flow could be saved. */
export async function validateFlow(file: string): Promise<boolean> {
  const { name, definition: given, metadata } = await readFlowFile(file)
  // Without a platform, models and agents are unknown: they are checked when the flow is saved.
  const checked = await checkWholeFlow({ definition: given, metadata }, {})
  const { definition, problems, warnings, requiredInputs } = checked
  if (definition === undefined) {
    console.error(`${name} has ${count(problems.length, 'problem')}:`)
    printProblems(problems, console.error)
    return false
  }
  console.log(`${name} is a flow with ${count(definition.steps.length, 'step')}: ${definition.label}`)
  if (requiredInputs.length > 0) console.log(`  needs in its context: ${requiredInputs.join(', ')}`)
  printProblems(warnings, console.log)
  return true
}
