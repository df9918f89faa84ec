import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'

interface TextPart {
  readonly type: string
  text?: string
}

interface PluginInput {
  readonly directory: string
  readonly client?: {
    readonly tui?: { showToast?(toast: { body: { message: string; variant: 'warning' } }): Promise<unknown> }
  }
}

interface ToolCall {
  readonly tool: string
  readonly sessionID?: string
  readonly callID?: string
  readonly args?: unknown
}

interface HookAnswer {
  readonly denied?: string
  readonly context?: string
}

const hook = fileURLToPath(new URL('../../.tdd/hook.cjs', import.meta.url))
/** The copy of the tool, which runs when a command removed the hook of the project. */
const copy = `${process.env['XDG_STATE_HOME'] || `${homedir()}/.local/state`}/tutti-tdd/hook.cjs`
const patienceMs = 5000

/** Keeps opencode test-first. On any error the call is allowed. */
export const TuttiTdd = async ({ directory, client }: PluginInput) => ({
  'tool.execute.before': async (call: ToolCall, { args }: { args: unknown }): Promise<void> => {
    const { denied, context } = await ask(hook, { event: 'tool.execute.before', ...call, args, directory })
    if (denied !== undefined) throw new Error(denied)
    if (context !== undefined)
      await client?.tui
        ?.showToast?.({ body: { message: context, variant: 'warning' } })
        ?.catch(() => undefined)
  },
  'tool.execute.after': async (call: ToolCall, result: { output?: string }): Promise<void> => {
    const { denied } = await ask(existsSync(copy) ? copy : hook, {
      event: 'tool.execute.after',
      ...call,
      directory,
    })
    if (denied !== undefined) result.output = `${result.output ?? ''}\n\n${denied}`
  },
  'chat.message': async (
    { sessionID }: { sessionID?: string },
    { parts }: { parts: TextPart[] },
  ): Promise<void> => {
    const written = parts.find((part) => part.type === 'text' && typeof part.text === 'string')
    if (written === undefined) return
    const { context } = await ask(hook, { event: 'chat.message', text: written.text, sessionID, directory })
    if (context !== undefined) written.text = `${written.text ?? ''}\n\n${context}`
  },
})

function ask(program: string, question: object): Promise<HookAnswer> {
  return new Promise((resolve) => {
    const child = spawn('node', [program, '--agent', 'opencode'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: patienceMs,
      windowsHide: true,
    })
    let printed = ''
    child.stdout.on('data', (chunk) => (printed += String(chunk)))
    child.stdin.on('error', () => {})
    child.on('error', () => resolve({}))
    child.on('close', () => {
      try {
        resolve(JSON.parse(printed) as HookAnswer)
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify(question))
  })
}
