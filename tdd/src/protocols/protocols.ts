import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import { kiro } from './kiro.ts'
import { opencode } from './opencode.ts'
import type { Protocol } from './protocol.ts'
import { windsurf } from './windsurf.ts'

/** The native protocols, by the name that `--agent` takes. */
export const nativeProtocols: readonly Protocol[] = [
  claudeCode,
  codex,
  gemini,
  cursor,
  copilot,
  windsurf,
  opencode,
  kiro,
]
