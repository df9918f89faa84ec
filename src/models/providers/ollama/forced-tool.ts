import { randomUUID } from 'node:crypto'
import type { ModelCall, ModelPart, Tool } from '../provider.ts'

/*
 * Nodes decide themselves whether they call a tool. A call that must use one tool, which is how many clients get structured output,
 * requests the arguments of the tool as JSON by its schema instead, and its text becomes the arguments of the tool call.
 */

/** The tool that the call must use; undefined when the model may choose, or must choose one of several. */
export function forcedToolOf({ tools = [], toolChoice }: ModelCall): Tool | undefined {
  if (typeof toolChoice === 'object') return tools.find(({ name }) => name === toolChoice.name)
  return toolChoice === 'required' && tools.length === 1 ? tools[0] : undefined
}

/** The instruction for a model that must use the tool. */
export function instructionFor({ name, description, parameters }: Tool): string {
  const purpose = description === undefined ? '' : ` (${description})`
  return `Respond only with the JSON arguments for a call of the function "${name}"${purpose}. Their JSON schema: ${JSON.stringify(parameters)}`
}

/** The response as a call of the tool, with its text as the arguments. */
export async function* toToolCall(
  parts: AsyncIterable<ModelPart>,
  { name }: Tool,
): AsyncGenerator<ModelPart> {
  let hasBegun = false
  for await (const part of parts) {
    if (part.type === 'text') {
      if (!hasBegun) yield { type: 'tool_call', index: 0, id: `call_${randomUUID()}`, name }
      hasBegun = true
      yield { type: 'tool_arguments', index: 0, text: part.text }
    } else if (part.type === 'end') {
      yield { ...part, finish: hasBegun && part.finish === 'stop' ? 'tool_calls' : part.finish }
    } else {
      yield part
    }
  }
}
