import { handlePrompt } from './hook/handle-prompt.ts'
import type { Aside } from './hook/hook.ts'
import * as protection from './hook/protect-command.ts'
import { readCommand } from './hook/shell/read-command.ts'

/** The functions that only prompts and shell commands need. */
export const aside: Aside = { handlePrompt, readCommand, protection }
