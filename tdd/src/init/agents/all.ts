import type { AgentSetup } from '../setup.ts'
import { claudeCodeSetup } from './claude-code.ts'
import { codexSetup } from './codex.ts'
import { copilotSetup } from './copilot.ts'
import { cursorSetup } from './cursor.ts'
import { geminiSetup } from './gemini.ts'
import { kiroSetup } from './kiro.ts'
import { opencodeSetup } from './opencode.ts'
import { windsurfSetup } from './windsurf.ts'

/** The assistants that can be set up. */
export const agentSetups: readonly AgentSetup[] = [
  claudeCodeSetup,
  codexSetup,
  geminiSetup,
  cursorSetup,
  copilotSetup,
  windsurfSetup,
  opencodeSetup,
  kiroSetup,
]
