import { editOf } from './claude-code.ts'
import { field, text, writtenText } from './fields.ts'
import type { Protocol } from './protocol.ts'

/** Copilot CLI: the event has no name, so its fields tell which it is. Any exit but 0 would deny. */
export const copilot: Protocol = {
  name: 'copilot',
  read(input, workingFolder) {
    const cwd = text(input, 'cwd') ?? workingFolder
    const tool = text(input, 'toolName')
    if (tool === undefined) return { event: text(input, 'source') === undefined ? 'other' : 'session', cwd }
    const given = argumentsOf(field(input, 'toolArgs'))
    switch (tool) {
      case 'create':
      case 'edit':
      case 'write':
        return editOf(cwd, text(given, 'path'), writtenText(given))
      case 'bash':
      case 'powershell':
        return { event: 'edit', cwd, command: text(given, 'command') }
      default:
        return { event: 'other', cwd }
    }
  },
  answer({ denied, context }) {
    if (denied !== undefined)
      return { stdout: JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: denied }) }
    return context === undefined ? {} : { stdout: JSON.stringify({ additionalContext: context }) }
  },
}

/** The arguments come as an object or as JSON text. */
function argumentsOf(given: unknown): unknown {
  return typeof given === 'string' ? (JSON.parse(given) as unknown) : given
}
