import { spawn } from 'node:child_process'
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

interface HookAnswer {
  readonly denied?: string
  readonly context?: string
}

const hook = fileURLToPath(new URL('../../.tdd/hook.cjs', import.meta.url))
const patienceMs = 5000

/** Keeps opencode test-first. On any error the call is allowed. */
export const TuttiTdd = async ({ directory, client }: PluginInput) => ({
  'tool.execute.before': async ({ tool }: { tool: string }, { args }: { args: unknown }): Promise<void> => {
    const { denied, context } = await ask({ event: 'tool.execute.before', tool, args, directory })
    if (denied !== undefined) throw new Error(denied)
    if (context !== undefined)
      await client?.tui
        ?.showToast?.({ body: { message: context, variant: 'warning' } })
        ?.catch(() => undefined)
  },
  'chat.message': async (_input: unknown, { parts }: { parts: TextPart[] }): Promise<void> => {
    const written = parts.find((part) => part.type === 'text' && typeof part.text === 'string')
    if (written === undefined) return
    const { context } = await ask({ event: 'chat.message', text: written.text, directory })
    if (context !== undefined) written.text = `${written.text ?? ''}\n\n${context}`
  },
})

function ask(question: object): Promise<HookAnswer> {
  return new Promise((resolve) => {
    const child = spawn('node', [hook, '--agent', 'opencode'], {
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
