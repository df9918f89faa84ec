import { handlePrompt } from './hook/handle-prompt.ts'
import type { Aside } from './hook/hook.ts'
import { readCommand } from './hook/shell/read-command.ts'

/** What prompts and shell commands need, and edits do not. */
export const aside: Aside = { handlePrompt, readCommand }
