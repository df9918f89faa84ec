import { field, text, writtenText } from './fields.ts'
import type { Protocol } from './protocol.ts'

const fileTools = new Set(['Edit', 'Write', 'MultiEdit'])

/**
 * The documented protocol: `{event, prompt, data: {toolName, args: {file_path}}}` as the first argument, answered with
 * `{continue, context?, reason?}`. Tools other than Edit, Write and MultiEdit always go on.
 */
export const argumentProtocol: Protocol = {
  name: 'argument',
  read(input, workingFolder) {
    const cwd = text(input, 'cwd') ?? workingFolder
    const event = text(input, 'event')
    if (event === 'UserPromptSubmit') return { event: 'prompt', cwd, prompt: text(input, 'prompt') }
    const path = text(input, 'data', 'args', 'file_path')
    const tool = text(input, 'data', 'toolName') ?? ''
    if (event !== 'PreToolUse' || path === undefined || !fileTools.has(tool)) return { event: 'other', cwd }
    return {
      event: 'edit',
      cwd,
      writes: [{ path, kind: 'write', text: writtenText(field(input, 'data', 'args')) }],
    }
  },
  answer({ denied, context }) {
    const answer =
      denied !== undefined
        ? { continue: false, reason: denied }
        : { continue: true, ...(context === undefined ? {} : { context }) }
    return { stdout: JSON.stringify(answer) }
  },
}
